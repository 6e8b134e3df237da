package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// minSecretKey is how many bytes the key must have from which other secrets follow.
const minSecretKey = 32

// loadSecretKey reads the key beside the database, or makes it, for its owner alone. It
// is in a file of its own so that a copy of the database gives no secret away.
func loadSecretKey(file, database string) ([]byte, error) {
	made := file == ""
	if made {
		file = database + ".key"
	}
	text, err := os.ReadFile(file)
	if made && errors.Is(err, fs.ErrNotExist) {
		return makeSecretKey(file)
	}
	if err != nil {
		return nil, fmt.Errorf("COURTD_SECRET_KEY_FILE: 密钥文件读不了 · the file cannot be read: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(strings.TrimPrefix(string(text), byteOrderMark)))
	if err != nil || len(key) < minSecretKey {
		return nil, fmt.Errorf("COURTD_SECRET_KEY_FILE: %s 里没有密钥，需要至少 %d 位十六进制数字 · holds no secret key: at least %[2]d hexadecimal digits are wanted", file, 2*minSecretKey)
	}
	return key, nil
}

func makeSecretKey(file string) ([]byte, error) {
	key := make([]byte, minSecretKey)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("make a secret key: %w", err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return loadSecretKey(file, "") // another process was first
	}
	if err != nil {
		return nil, fmt.Errorf("make the secret key's file: %w", err)
	}
	_, err = f.WriteString(hex.EncodeToString(key) + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("write the secret key: %w", errors.Join(err, os.Remove(file)))
	}
	return key, nil
}

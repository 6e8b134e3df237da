package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
		return nil, keyFileUnread(err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(strings.TrimPrefix(string(text), byteOrderMark)))
	if err != nil || len(key) < minSecretKey {
		return nil, problem{Setting: settingKeyFile, ZH: fmt.Sprintf("文件里没有密钥，需要至少 %d 位十六进制数字", 2*minSecretKey),
			EN: fmt.Sprintf("the file holds no secret key: at least %d hexadecimal digits are wanted", 2*minSecretKey)}
	}
	return key, nil
}

const settingKeyFile = "COURTD_SECRET_KEY_FILE"

// keyFileUnread says why the file cannot be read, without its name: it may be the key.
func keyFileUnread(err error) problem {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return problem{Setting: settingKeyFile, ZH: "找不到密钥文件；应填文件路径，而不是密钥本身", EN: "there is no such file; it must be the name of a file, not the key itself"}
	case errors.Is(err, fs.ErrPermission):
		return problem{Setting: settingKeyFile, ZH: "当前用户没有权限读取密钥文件", EN: "this user may not read the file"}
	}
	return problem{Setting: settingKeyFile, ZH: "密钥文件读不了", EN: "the file cannot be read"}
}

// asProblem gives the problem that an error is, or puts it into the words of one.
func asProblem(err error) problem {
	var p problem
	if !errors.As(err, &p) {
		p = problem{Setting: settingKeyFile, ZH: "密钥文件无法使用：" + err.Error(), EN: "the key file cannot be used: " + err.Error()}
	}
	return p
}

// makeSecretKey writes a new key whole or not at all: a process that dies meanwhile leaves
// no file that cannot be served with.
func makeSecretKey(file string) (key []byte, err error) {
	key = make([]byte, minSecretKey)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("make a secret key: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.part") // 0600
	if err != nil {
		return nil, fmt.Errorf("make the secret key's file: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.WriteString(hex.EncodeToString(key) + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, fmt.Errorf("write the secret key: %w", err)
	}
	err = os.Link(f.Name(), file)
	if errors.Is(err, fs.ErrExist) {
		return loadSecretKey(file, "") // another process was first
	}
	if err != nil {
		return nil, fmt.Errorf("make the secret key's file: %w", err)
	}
	return key, nil
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// plain is the client of what is not measured.
var plain = &http.Client{Timeout: 60 * time.Second}

// ask gets what must be there.
func ask(url string) (text []byte, etag string, err error) {
	res, err := plain.Get(url)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	text, err = io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", url, res.Status, text)
	}
	return text, res.Header.Get("ETag"), err
}

// get asks for JSON that must be there.
func get(url string, answer any) error {
	text, _, err := ask(url)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

// post sends JSON that must be answered with a status, and reads the answer.
func post(url, token, body string, status int, answer any) error {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := plain.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != status {
		return fmt.Errorf("%s: %s: %s", url, res.Status, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}

// signIn signs a customer in at a demonstration, which tells the code.
func signIn(base, phone string) (token string, err error) {
	var sent struct{ Code string }
	if err := post(base+"/api/v1/login/code", "", fmt.Sprintf(`{"phone":%q}`, phone), http.StatusOK, &sent); err != nil {
		return "", err
	}
	var in struct{ Token string }
	err = post(base+"/api/v1/login", "", fmt.Sprintf(`{"phone":%q,"code":%q}`, phone, sent.Code), http.StatusOK, &in)
	return in.Token, err
}

package wechat

import (
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Files are the settings as a person gives them: texts and names of files.
type Files struct {
	MchID, Serial             string
	KeyFile                   string // the merchant's private key, apiclient_key.pem
	APIv3Key, APIv3KeyFile    string // one of them
	PublicKeyID               string // the one that outgoing calls name
	PublicKeyFile             string // pub_key.pem
	PublicKeyID2              string // a second one while WeChat's key changes; optional
	PublicKeyFile2            string
	CertificateFiles          []string // platform certificates; optional
	AppID, NotifyURL, BaseURL string
	Ways                      []string // jsapi, native, h5; empty: all
}

// Load reads the settings and reports every problem, not only the first. If none of
// them is more than a warning, New takes the Config.
func Load(f Files) (Config, []Problem) {
	var list problems
	c := Config{MchID: strings.TrimSpace(f.MchID), Serial: strings.ToUpper(strings.TrimSpace(f.Serial)), AppID: strings.TrimSpace(f.AppID),
		PublicKeyID: strings.TrimSpace(f.PublicKeyID), NotifyURL: strings.TrimSpace(f.NotifyURL), BaseURL: strings.TrimSpace(f.BaseURL), Ways: f.Ways,
		PublicKeys: map[string]*rsa.PublicKey{}}
	list.checkTexts(c)
	list.warnUnreachable(SettingNotifyURL, c.NotifyURL)
	c.APIv3Key = list.loadAPIv3Key(f)
	c.Key = list.loadPrivateKey(SettingKeyFile, f.KeyFile)
	if c.Key != nil && c.Key.N.BitLen() < minKeyBits {
		list.add(SettingKeyFile, "密钥太短，至少 2048 位", "is too short; an RSA key needs at least 2048 bits")
	}
	list.loadPublicKey(&c, SettingPublicKeyID, SettingPublicKeyFile, f.PublicKeyID, f.PublicKeyFile)
	if f.PublicKeyID2 != "" || f.PublicKeyFile2 != "" {
		list.loadPublicKey(&c, SettingPublicKeyID2, SettingPublicKeyFile2, f.PublicKeyID2, f.PublicKeyFile2)
	}
	for i, name := range f.CertificateFiles {
		var own problems
		if certificate := own.loadCertificate(name); certificate != nil {
			c.Certificates = append(c.Certificates, certificate)
		}
		for _, p := range own {
			p.ZH, p.EN = fmt.Sprintf("第 %d 个文件：%s", i+1, p.ZH), fmt.Sprintf("file %d: %s", i+1, p.EN)
			list = append(list, p)
		}
	}
	return c, list
}

func (list *problems) loadAPIv3Key(f Files) string {
	setting, value := SettingAPIv3Key, f.APIv3Key
	switch {
	case f.APIv3Key != "" && f.APIv3KeyFile != "":
		list.add(SettingAPIv3KeyFile, "与 "+SettingAPIv3Key+" 只能设置一个", "and "+SettingAPIv3Key+" are both set; keep one")
		return ""
	case f.APIv3KeyFile != "":
		setting = SettingAPIv3KeyFile
		text, ok := list.read(setting, f.APIv3KeyFile, true)
		if !ok {
			return ""
		}
		value = string(text)
	}
	value = strings.TrimSpace(value)
	list.checkAPIv3Key(setting, value)
	return value
}

func (list *problems) loadPublicKey(c *Config, idSetting, fileSetting, id, file string) {
	id = strings.TrimSpace(id)
	list.checkPublicKeyID(idSetting, id)
	key := list.readPublicKey(fileSetting, file)
	if key == nil {
		return
	}
	list.checkPublicKey(fileSetting, key, c.Key)
	if _, twice := c.PublicKeys[id]; twice {
		list.add(idSetting, "两个公钥 ID 相同", "is the same as the first id")
	}
	c.PublicKeys[id] = key
}

// maxFileBytes is more than any key has.
const maxFileBytes = 64 << 10

// read reads a file as plainText, or says why that is not possible. Not even the file's name is
// told: it may be the key itself.
func (list *problems) read(setting, name string, secret bool) ([]byte, bool) {
	switch {
	case name == "":
		list.missing(setting)
		return nil, false
	case strings.Contains(name, "-----BEGIN") || strings.ContainsAny(name, "\r\n"):
		list.add(setting, "应填文件路径，而不是密钥内容", "holds a key; it must hold the name of the file")
		return nil, false
	}
	file, err := os.Open(name) //nolint:gosec // the operator names the file
	if err == nil {
		defer file.Close() //nolint:errcheck // it is only read
		var info fs.FileInfo
		if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
			list.add(setting, "不是文件", "is not a file")
			return nil, false
		} else if err == nil && secret && info.Mode().Perm()&0o004 != 0 {
			list.warn(setting, "本机所有用户都能读取此文件，请执行 chmod 600", "can be read by every user of this machine; chmod 600 it")
		}
	}
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(file, maxFileBytes))
	}
	plain, readable := plainText(text)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		list.add(setting, "找不到文件", "names a file that does not exist")
	case errors.Is(err, fs.ErrPermission):
		list.add(setting, "当前用户没有权限读取此文件", "names a file that this user may not read")
	case err != nil:
		list.add(setting, "文件无法读取", "names a file that cannot be read")
	case !readable:
		list.add(setting, "文件是 UTF-16 编码（记事本的 Unicode），请另存为 UTF-8", `names a file in UTF-16 ("Unicode" of Notepad); save it as UTF-8`)
	case len(plain) == 0:
		list.add(setting, "文件是空的", "names a file that is empty")
	default:
		return plain, true
	}
	return nil, false
}

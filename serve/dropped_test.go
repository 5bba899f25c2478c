package serve

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"luzhanqi/game/jungle"
)

// TestDropped: a record that somebody brings is shown as one page that needs the server no more; what is none is refused in words.
func TestDropped(t *testing.T) {
	s, server := started(t, nil)
	name := recorded(t, s, jungle.Game{}, 6)
	text, err := os.ReadFile(filepath.Join(s.config.Keep, name))
	if err != nil {
		t.Fatal(err)
	}
	bring := func(field string, content []byte) (*http.Response, string) {
		t.Helper()
		var form bytes.Buffer
		parts := multipart.NewWriter(&form)
		w, err := parts.CreateFormFile(field, "<mine>.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		w.Write(content)
		parts.Close()
		r, err := browser(t).Post(server+"/records", parts.FormDataContentType(), &form)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		var page bytes.Buffer
		page.ReadFrom(r.Body)
		return r, page.String()
	}
	r, page := bring("record", text)
	if policy := r.Header.Get("Content-Security-Policy"); r.StatusCode != http.StatusOK || !strings.Contains(page, "<svg") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("%d, %q: %.300s", r.StatusCode, policy, page)
	}
	if strings.Contains(page, `src="/`) || strings.Contains(page, `href="/`) {
		t.Error("the page needs the server")
	}
	for what, c := range map[string]struct {
		field   string
		content []byte
		code    int
		says    string
	}{
		"another field": {"file", text, http.StatusUnprocessableEntity, "cannot be shown"},
		"no record":     {"record", []byte("hello\n"), http.StatusUnprocessableEntity, "cannot be shown"},
		"nothing":       {"record", nil, http.StatusUnprocessableEntity, "cannot be shown"},
		"too much":      {"record", make([]byte, maxDropped+(128<<10)), http.StatusRequestEntityTooLarge, "8 MiB"},
	} {
		if r, page := bring(c.field, c.content); r.StatusCode != c.code || !strings.Contains(page, c.says) {
			t.Errorf("%s: %d, want %d: %.300s", what, r.StatusCode, c.code, page)
		}
	}
	if all, _ := s.records.list(); len(all) != 1 {
		t.Errorf("%d records are listed: one that is shown is not kept", len(all))
	}
}

// A record that is dropped on the page of records is shown, and can be stepped through.
func showsDropped(t *testing.T, ctx context.Context) {
	s, server := started(t, nil)
	text, err := os.ReadFile(filepath.Join(s.config.Keep, recorded(t, s, jungle.Game{}, 6)))
	if err != nil {
		t.Fatal(err)
	}
	visit(t, ctx, server+"/records")
	leave(t, ctx, func() {
		do(t, ctx, chromedp.Evaluate[int](`setTimeout(() => { // what it evaluates ends before the page does
			const files = new DataTransfer();
			files.items.add(new File([`+strconv.Quote(string(text))+`], "mine.jsonl"));
			document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
		}, 100)`))
	})
	until(t, ctx, `(() => {
		const seen = () => document.getElementById("picture").innerHTML, before = (document.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" })), seen());
		document.dispatchEvent(new KeyboardEvent("keydown", { key: "End" }));
		return seen() !== before;
	})()`)
}

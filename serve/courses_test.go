package serve

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/rs/zerolog"

	"luzhanqi/check"
	"luzhanqi/process"
)

// This binary is also the supervisors of what is handed in.
func TestMain(m *testing.M) {
	process.Reexec(check.Probe)
	beSomethingElse()
	os.Exit(m.Run())
}

const autumn = `title = "Autumn <b>2026"
game = "jungle"
submissions = "submissions"
[attempts]
count = "best"
[[language]]
name = "shell"
detect = "bot.sh"
run = "sh bot.sh"
[[item]]
kind = "builds"
points = 10
[[item]]
kind = "level"
level = "random"
games = 2
points = 20
`

// class is a server of a course that grades, with tokens of two students, a teacher, a teacher of nothing else, and somebody.
func class(t *testing.T, file string, change func(*Config)) (s *Server, address string, token map[string]string) {
	t.Helper()
	if reached := process.Isolation(); reached.Sealed() != nil {
		t.Skip(reached.Why)
	}
	token = map[string]string{}
	s, address = started(t, func(c *Config) {
		c.Courses = []Course{{Name: "autumn", File: file, Uploads: true, Every: 1, Size: 10_000, Attempts: 3}}
		for _, k := range []Token{
			{Name: "ada", Role: Play, Course: "autumn", Student: "ada"},
			{Name: "bob", Role: Watch, Course: "autumn", Student: "bob"},
			{Name: "teacher", Role: Teach, Course: "autumn"},
			{Name: "guest", Role: Play},
			{Name: "operator", Role: Operate},
		} {
			token[k.Name], k.SHA256 = NewToken()
			c.Tokens = append(c.Tokens, k)
		}
		if change != nil {
			change(c)
		}
	})
	return s, address, token
}

func courseFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "course.toml")
	if err := os.WriteFile(file, []byte(autumn), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// bot is an archive of a program.
func bot(t *testing.T, text string) []byte { return archived(t, "bot.sh", text) }

// archived is an archive of files.
func archived(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// asks makes a request with a token, and returns the whole answer.
func asks(t *testing.T, token, method, address string, body []byte, header ...string) (code int, text string) {
	t.Helper()
	q, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if q.Header.Set("Authorization", "Bearer "+token); token == "" {
		q.Header.Del("Authorization")
	}
	for i := 0; i < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	a, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	read, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	a.Header.Del("Date")
	a.Header.Write(&all)
	return a.StatusCode, all.String() + string(read)
}

// A student hands in by the API and by the form, and reads the own marks; a teacher reads all.
func TestCourse(t *testing.T) {
	file := courseFile(t)
	s, server, token := class(t, file, nil)
	c := newAPIClient(t, s, server)
	hand := func(who, query string, body []byte) int {
		c.header["Authorization"] = "Bearer " + token[who]
		q, err := http.NewRequest("POST", server+apiPath+"/courses/autumn/submissions?"+query, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer "+token[who])
		a, err := http.DefaultTransport.RoundTrip(q)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		if err != nil {
			t.Fatal(err)
		}
		c.check(q, nil, a, text)
		return a.StatusCode
	}
	good := bot(t, "exit 3\n")
	for _, r := range []struct {
		who, query string
		body       []byte
		want       int
	}{
		{"guest", "file=a.zip", good, 404},
		{"ada", "file=a.zip&student=bob", good, 403},
		{"ada", "file=a.py", good, 422},
		{"ada", "", good, 422},
		{"teacher", "file=a.zip", good, 422},
		{"ada", "file=a.zip", make([]byte, 10_001), 413},
		{"ada", "file=a.zip", make([]byte, 200_000), 413},
		{"ada", "file=a.zip", good, 201},
		{"teacher", "file=a.zip&student=eve", good, 201},
	} {
		if got := hand(r.who, r.query, r.body); got != r.want {
			t.Errorf("%s hands in %s: %d, want %d", r.who, r.query, got, r.want)
		}
	}
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	w, err := parts.CreateFormFile("archive", "b.zip")
	if err != nil {
		t.Fatal(err)
	}
	w.Write(good)
	parts.Close()
	address := server + "/courses/autumn"
	if code, text := asks(t, token["bob"], "POST", address+"/submissions", form.Bytes(), "Content-Type", parts.FormDataContentType()); code != 303 || !strings.Contains(text, "Location: /courses/autumn\r\n") {
		t.Errorf("the form: %d %s", code, text)
	}
	if code, text := asks(t, token["bob"], "POST", address+"/submissions", form.Bytes(), "Content-Type", parts.FormDataContentType(), "Origin", "http://elsewhere.example"); code != 403 {
		t.Errorf("a page elsewhere hands in: %d %s", code, text)
	}
	if code, text := asks(t, token["bob"], "POST", address+"/submissions", []byte("x"), "Content-Type", "text/plain"); code != 400 || !strings.Contains(text, "no file was chosen") {
		t.Errorf("no form: %d %s", code, text)
	}
	named := regexp.MustCompile("(^|[^0-9a-f])ada([^0-9a-f]|$)") // and not where a number of an event has these digits
	if code, text := asks(t, token["bob"], "GET", address, nil); code != 200 || !strings.Contains(text, "in line</p>") || !strings.Contains(text, "Autumn &lt;b&gt;2026") || named.MatchString(text) || strings.Contains(text, "eve@") {
		t.Errorf("the page of one who waits: %d %s", code, text)
	}
	s.gradeCourses()
	type submission struct {
		Name, Student, State, Results string
		Score                         *float64
	}
	var now struct {
		Submissions []submission
		Public      string
		Waiting     int
		Busy        bool
	}
	c.header["Authorization"] = "Bearer " + token["teacher"]
	for deadline := time.Now().Add(time.Minute); now.Public == "" || now.Waiting > 0 || now.Busy; time.Sleep(20 * time.Millisecond) {
		if code := c.ask("GET", apiPath+"/courses/autumn", nil, &now); code != 200 || time.Now().After(deadline) {
			t.Fatalf("%d %+v", code, now)
		}
	}
	of := map[string]submission{}
	for _, one := range now.Submissions {
		of[one.Student] = one
		if one.State != "graded" || *one.Score != 10 {
			t.Errorf("%+v", one)
		}
	}
	if len(of) != 3 {
		t.Fatalf("%+v", now)
	}
	c.ask("GET", apiPath+"/courses", nil, nil)
	c.ask("GET", apiPath+"/courses/none", nil, nil)
	for path, want := range map[string]int{
		"/results/class/grades.csv": 200, "/results/class/index.html": 200, "/results/" + of["eve"].Results + "/index.html": 200, "/results/" + of["eve"].Results + "/marks.json": 200,
		"/results/work/state/key": 404, "/results/..%2Fcourse.toml/x": 404, "/results/class/none": 404, "/results/%2e%2e/course.toml": 404,
	} {
		if code := c.ask("GET", apiPath+"/courses/autumn"+path, nil, nil); code != want {
			t.Errorf("a teacher asks for %s: %d, want %d", path, code, want)
		}
	}
	mine := address + "/results/" + of["ada"].Results
	code, text := asks(t, token["ada"], "GET", mine+"/index.html", nil)
	if code != 200 || !strings.Contains(text, "style-src 'sha256-") || strings.Contains(text, "unsafe") || strings.Contains(text, " style=") || strings.Contains(text, "<script") {
		t.Errorf("the own page: %d %.2000s", code, text)
	}
	for _, link := range []string{"records", "games"} {
		_, after, ok := strings.Cut(text, `"./`+link+"/")
		name, _, _ := strings.Cut(after, `"`)
		if code, board := asks(t, token["ada"], "GET", mine+"/"+link+"/"+name, nil); !ok || code != 200 || strings.Contains(board, " style=") {
			t.Errorf("%s of the own page: %d %.300s", link, code, board)
		}
		if code, _ := asks(t, token["bob"], "GET", mine+"/"+link+"/"+name, nil); code != 403 {
			t.Errorf("%s of another's page: %d", link, code)
		}
	}
	for _, who := range []struct {
		name string
		want [5]int
	}{
		{"ada", [5]int{200, 200, 403, 200, 303}},
		{"bob", [5]int{200, 403, 403, 200, 303}},
		{"teacher", [5]int{200, 200, 200, 200, 303}},
		{"operator", [5]int{200, 200, 200, 200, 303}},
		{"guest", [5]int{404, 404, 404, 404, 404}},
		{"", [5]int{401, 401, 401, 401, 401}},
	} {
		for i, path := range []string{"", "/results/" + of["ada"].Results + "/index.html", "/results/class/index.html", "/results/class/public.html"} {
			if code, text := asks(t, token[who.name], "GET", address+path, nil); code != who.want[i] {
				t.Errorf("%q asks for %s: %d, want %d: %.300s", who.name, path, code, who.want[i], text)
			}
		}
	}
	if code, text := asks(t, token["teacher"], "GET", server+"/courses", nil); code != 200 || !strings.Contains(text, "3 submissions handed in, 3 graded.") {
		t.Errorf("the list: %d %s", code, text)
	}
	if code, text := asks(t, token["guest"], "GET", server+"/courses", nil); code != 200 || strings.Contains(text, "Autumn") {
		t.Errorf("the list of a guest: %d %s", code, text)
	}
	if code, text := asks(t, token["operator"], "GET", server+"/metrics", nil); code != 200 || !strings.Contains(text, `luzhanqi_submissions{course="autumn",state="graded"} 3`) {
		t.Errorf("metrics: %d %s", code, text)
	}
	s.close()
	if code := c.ask("GET", apiPath+"/courses/autumn/events", nil, nil); code != 200 {
		t.Errorf("events at the end: %d", code)
	}
}

// Two courses that differ in all that others have handed in, but not in what a student has, look the same to that student, byte for
// byte.
func TestCourseTellsNothingOfOthers(t *testing.T) {
	var answers [2]map[string]string
	for i, others := range []map[string]string{
		{"bob@2026-01-02T030405Z": "bob's secret", "eve@2026-01-03T030405Z": "x"},
		{"bob@2026-02-02T030405Z": "another secret, and longer", "mallory@2026-02-03T030405Z": "x"},
	} {
		answers[i] = map[string]string{}
		file := courseFile(t)
		put := func(path, text string) {
			t.Helper()
			path = filepath.Join(filepath.Dir(file), path)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil || os.WriteFile(path, []byte(text), 0o666) != nil {
				t.Fatal(err)
			}
		}
		for name, text := range others {
			put("submissions/"+name+".zip", text)
			put("graded/"+name+"/index.html", text)
			put("graded/"+name+"/marks.json", fmt.Sprintf(`{"name": %q, "score": %d, "max": 30, "items": [{"title": %q}]}`, name, len(text), text))
		}
		put("submissions/ada@2026-01-04T030405Z.zip", "x")
		put("graded/ada@2026-01-04T030405Z/index.html", "<style>p { }</style>mine")
		put("graded/ada@2026-01-04T030405Z/marks.json", `{"name": "ada", "score": 7, "max": 30, "items": [{"kind": "builds", "title": "Builds", "summary": "it does"}]}`)
		put("submissions/ada@2026-01-05T030405Z.zip", "x")
		put("graded/class/public.html", "numbers")
		put("graded/class/index.html", strings.Join([]string{others["bob"], "names"}, " "))
		s, server, token := class(t, file, nil)
		for _, path := range []string{
			"/courses", "/courses/autumn", "/courses/autumn?student=bob", apiPath + "/courses", apiPath + "/courses/autumn", apiPath + "/courses/autumn?student=bob",
			"/courses/autumn/results/class/public.html", "/courses/autumn/results/class/index.html", "/courses/autumn/results/class/grades.csv",
			"/courses/autumn/results/ada@2026-01-04T030405Z/index.html", "/courses/autumn/results/ada@2026-01-04T030405Z/marks.json",
			"/courses/autumn/results/bob@2026-01-02T030405Z/index.html", "/courses/autumn/results/bob@2026-02-02T030405Z/index.html",
			"/courses/autumn/results/BOB@2026-01-02T030405Z/index.html", "/courses/autumn/results/bob@2026-01-02T030405Z/none",
			"/courses/autumn/results/ada@2026-01-04T030405Z/..%2Fbob@2026-01-02T030405Z%2Findex.html",
			"/courses/autumn/results/ada@2026-01-04T030405Z/../bob@2026-01-02T030405Z/index.html",
			"/courses/autumn/results/work/state/key", apiPath + "/courses/autumn/results/eve@2026-01-03T030405Z/marks.json", "/courses/autumn/none",
		} {
			code, text := asks(t, token["ada"], "GET", server+path, nil)
			answers[i][path] = fmt.Sprintf("%d %s", code, text)
		}
		ctx, stop := context.WithCancel(t.Context())
		q, err := http.NewRequestWithContext(ctx, "GET", server+"/courses/autumn/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer "+token["ada"])
		a, err := http.DefaultTransport.RoundTrip(q)
		if err != nil {
			t.Fatal(err)
		}
		s.close()
		events, err := io.ReadAll(a.Body)
		if err != nil || !bytes.Contains(events, []byte(`"score":7`)) {
			t.Errorf("%v %s", err, events)
		}
		a.Body.Close()
		stop()
		answers[i]["events"] = string(events)
	}
	for path, one := range answers[0] {
		if other := answers[1][path]; one != other {
			t.Errorf("%s differs:\n%s\nand\n%s", path, one, other)
		}
	}
	if page := answers[0]["/courses/autumn"]; !strings.Contains(page, "7 of 30 points") || !strings.Contains(page, "next in line") {
		t.Errorf("the own page is %s", page)
	}
}

// What a configuration may say of courses and of who takes part.
func TestCourseConfig(t *testing.T) {
	file := courseFile(t)
	course := Course{Name: "autumn", File: file}
	hash := hashOf("x")
	for _, wrong := range []func(*Config){
		func(c *Config) { c.Courses[0].Name = "a/b" },
		func(c *Config) { c.Courses = append(c.Courses, c.Courses[0]) },
		func(c *Config) { c.Courses[0].File = "none" },
		func(c *Config) { c.Courses[0].Attempts = 5 },
		func(c *Config) { c.Courses[0].Uploads, c.Courses[0].Concurrency = true, -1 },
		func(c *Config) {
			c.Courses[0].Uploads, c.Courses[0].Results = true, filepath.Join(filepath.Dir(file), "submissions/x")
		},
		func(c *Config) {
			c.Tokens = []Token{{Name: "a", Role: Watch, SHA256: hash, Course: "spring", Student: "a"}}
		},
		func(c *Config) { c.Tokens = []Token{{Name: "a", Role: Watch, SHA256: hash, Student: "a"}} },
		func(c *Config) { c.Tokens = []Token{{Name: "a", Role: Watch, SHA256: hash, Course: "autumn"}} },
		func(c *Config) {
			c.Tokens = []Token{{Name: "a", Role: Teach, SHA256: hash, Course: "autumn", Student: "a"}}
		},
		func(c *Config) {
			c.Tokens = []Token{{Name: "a", Role: Watch, SHA256: hash, Course: "autumn", Student: "../a"}}
		},
	} {
		c := Default()
		c.Courses = []Course{course}
		wrong(&c)
		if _, err := New(c, "test", zerolog.Nop()); err == nil {
			t.Errorf("%+v and %+v are taken", c.Courses, c.Tokens)
		}
	}
}

// A student signs in, hands in by the page, and sees the marks without asking again.
func handsIn(t *testing.T, ctx context.Context) {
	s, server, token := class(t, courseFile(t), nil)
	archive := filepath.Join(t.TempDir(), "bot.zip")
	if err := os.WriteFile(archive, bot(t, "exit 3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	signIn := func(who string) {
		t.Helper()
		visit(t, ctx, server+"/sign-in")
		leave(t, ctx, func() { write(t, ctx, "input[name=token]", token[who]+kb.Enter) })
		appears(t, ctx, `nav a[href="/"][aria-current]`)
	}
	handIn := func(n int) {
		t.Helper()
		input := do(t, ctx, chromedp.Evaluate[*runtime.RemoteObject](`document.querySelector("input[type=file]")`))
		do(t, ctx, func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{archive}, ObjectID: input.ObjectID})
			return chromedp.Void{}, err
		})
		follow(t, ctx, "form.new button")
		appears(t, ctx, fmt.Sprintf(".handed > li:nth-child(%d)", n))
	}
	signIn("ada")
	visit(t, ctx, server+"/courses/autumn")
	handIn(1)
	looksWellAt(t, ctx, server, "course-waiting", "/courses/autumn", true)
	visit(t, ctx, server+"/courses/autumn")
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("input[name=archive]").dataset.mine = "here"; void 0`))
	s.gradeCourses()
	appears(t, ctx, ".is-graded")
	if said := do(t, ctx, chromedp.Evaluate[string](`document.querySelector(".is-graded .state").textContent + document.querySelector("input[name=archive]").dataset.mine`)); said != "10 of 30 pointshere" {
		t.Errorf("the page says %q", said)
	}
	handIn(2)
	looksWellAt(t, ctx, server, "course", "/courses/autumn", false)
	visit(t, ctx, server+"/courses/autumn")
	marks := do(t, ctx, chromedp.Evaluate[string](`document.querySelector(".is-graded a").href`))
	looksWellAt(t, ctx, "", "course-marks", marks, true)
	appears(t, ctx, "#item-1")
	if style := do(t, ctx, chromedp.Evaluate[string](`getComputedStyle(document.querySelector("section")).borderLeftStyle`)); style != "solid" {
		t.Errorf("the page of marks has no style: %q", style)
	}
	game := do(t, ctx, chromedp.Evaluate[string](`document.querySelector('a[href^="./games/"]').href`))
	replay := do(t, ctx, chromedp.Evaluate[string](`document.querySelector('a[href^="./records/"]').href`))
	looksWellAt(t, ctx, "", "course-game", game, false)
	looksWellAt(t, ctx, "", "course-replay", replay+"?ply=3", true)
	appears(t, ctx, "#picture")
	press(t, ctx, kb.End)
	until(t, ctx, `/^After/.test(document.getElementById("status").textContent)`)
	follow(t, ctx, ".links a") // back to the marks
	follow(t, ctx, `a[href^="./games/"]`)
	until(t, ctx, `document.getElementById("end") !== null`)
	if shown := do(t, ctx, chromedp.Evaluate[int](`[...document.querySelectorAll(".ply")].filter((p) => getComputedStyle(p).display !== "none").length`)); shown != 1 {
		t.Errorf("the page of a game shows %d plies at a time", shown)
	}
	signIn("teacher")
	looksWellAt(t, ctx, server, "course-teacher", "/courses/autumn", true)
	looksWellAt(t, ctx, server, "courses", "/courses", false)
	looksWellAt(t, ctx, server, "course-class", "/courses/autumn/results/class/index.html", true)
	looksWellAt(t, ctx, server, "course-public", "/courses/autumn/results/class/public.html", false)
}

package serve

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"path"
	"strings"
	"time"

	"luzhanqi/serve/courses"
	"luzhanqi/serve/page"
)

// Course is one whose marks are shown, and that may take submissions in.
type Course struct {
	Name        string   `toml:"name"`
	File        string   `toml:"file"`        // as for luzhanqi grade
	Results     string   `toml:"results"`     // folder; empty: as luzhanqi grade has it
	Uploads     bool     `toml:"uploads"`     // submissions are taken in, and graded by this server
	Attempts    int      `toml:"attempts"`    // the most of a student
	Every       Duration `toml:"every"`       // the least time between two of them
	Size        Size     `toml:"size"`        // of an archive, at most
	Concurrency int      `toml:"concurrency"` // submissions graded at a time
}

// rules are those of a course, with what is usual for what is left out.
func (c *Course) rules() courses.Rules {
	r := courses.Rules{Uploads: c.Uploads, Most: c.Attempts, Every: time.Duration(c.Every), Bytes: int64(c.Size), Concurrency: c.Concurrency}
	if r.Most == 0 {
		r.Most = 50
	}
	if r.Every == 0 {
		r.Every = time.Minute
	}
	if r.Bytes == 0 {
		r.Bytes = 8 << 20
	}
	if r.Concurrency == 0 {
		r.Concurrency = 1
	}
	return r
}

func checkCourses(all []Course, tokens []Token) error {
	names := map[string]bool{}
	for i, c := range all {
		if c.Name == "" || names[c.Name] || !plain(c.Name) {
			return fmt.Errorf("course %d has the name %q: each needs a name of its own, of letters, digits and hyphens", i+1, c.Name)
		}
		names[c.Name] = true
		if c.Attempts < 0 || c.Concurrency < 0 || c.Concurrency > 1000 {
			return fmt.Errorf("course %q: attempts = %d, concurrency = %d: allowed are whole numbers from 1, and to 1000", c.Name, c.Attempts, c.Concurrency)
		}
		if !c.Uploads && (c.Attempts != 0 || c.Every != 0 || c.Size != 0 || c.Concurrency != 0) {
			return fmt.Errorf("course %q: attempts, every, size and concurrency have no effect without uploads = true", c.Name)
		}
	}
	for _, t := range tokens {
		switch {
		case t.Course != "" && !names[t.Course]:
			return fmt.Errorf("token %q: there is no course %q", t.Name, t.Course)
		case t.Student != "" && (t.Course == "" || t.Role.allows(Teach)):
			return fmt.Errorf("token %q of the student %q has the role %q and the course %q: allowed are the roles watch and play, and a course", t.Name, t.Student, t.Role, t.Course)
		case t.Course != "" && t.Student == "" && t.Role != Teach:
			return fmt.Errorf("token %q of the course %q is no student's, and has the role %q: allowed is teach", t.Name, t.Course, t.Role)
		}
	}
	return nil
}

// openCourses makes what knows of the courses of the configuration.
func (s *Server) openCourses() error {
	turn := make(chan struct{}, 1)
	for _, c := range s.config.Courses {
		opened, err := courses.Open(courses.Options{
			Name: c.Name, File: c.File, Out: c.Results, Version: s.version, Rules: c.rules(), Turn: turn,
			Warn: func(err error) { s.log.Error().Err(err).Str("course", c.Name).Msg("it cannot be graded now") },
		})
		if err != nil {
			return fmt.Errorf("course %q: %w", c.Name, err)
		}
		for _, t := range s.access.tokens {
			if t.Student == "" || t.Course != c.Name {
				continue
			}
			if _, err := opened.Of(t.Student); err != nil {
				return fmt.Errorf("token %q: student = %q: %w", t.Name, t.Student, err)
			}
		}
		if c.Uploads {
			s.largest = max(s.largest, opened.Rules.Bytes)
		}
		s.courses = append(s.courses, opened)
	}
	return nil
}

// gradeCourses grades what is handed in, until the server ends.
func (s *Server) gradeCourses() {
	for _, c := range s.courses {
		s.play.Go(func() { c.Grade(s.ending) })
	}
}

// courseRoutes are those of pages.
func (s *Server) courseRoutes() []route {
	return []route{
		{"GET /courses", s.courseList},
		{"GET /courses/{name}", s.course},
		{"GET /courses/{name}/events", s.courseEvents},
		{"POST /courses/{name}/submissions", s.handIn},
		{"GET /courses/{name}/results/{folder}/{file}", s.courseResult},
		{"GET /courses/{name}/results/{folder}/{part}/{file}", s.courseResult},
		{"GET /courses/{name}/results/{folder}/{part}/{file}/beliefs/{side}", s.courseBeliefs},
	}
}

// ofCourse says whether an address is that of a course.
func ofCourse(path string) bool {
	return strings.HasPrefix(path, "/courses/") || strings.HasPrefix(path, apiPath+"/courses/")
}

// attending is who asks something of a course.
type attending struct {
	*courses.Served
	student string // under which submissions are handed in; empty: a teacher
}

// attends says how the bearer of a token takes part in a course.
func (t Token) attends(c *courses.Served) (attending, bool) {
	if t.Role.allows(Teach) && (t.Course == "" || t.Course == c.Name) {
		return attending{c, ""}, true
	}
	if t.Student == "" || t.Course != c.Name {
		return attending{}, false
	}
	name, err := c.Of(t.Student)
	return attending{c, name}, err == nil && name != ""
}

// attended is the course that a request names, for who takes part in it; not ok: it was answered, as if there were none.
func (s *Server) attended(w http.ResponseWriter, r *http.Request) (attending, bool) {
	t, _ := s.access.who(r)
	for _, c := range s.courses {
		if a, ok := t.attends(c); ok && c.Name == r.PathValue("name") {
			return a, true
		}
	}
	s.missing(w, r, "there is no course of that name, or you do not take part in it")
	return attending{}, false
}

// seen is a course as somebody may see it; nil: it was answered.
func (s *Server) seen(w http.ResponseWriter, r *http.Request, a attending) *courses.View {
	v, err := a.Look(a.student)
	if err != nil {
		s.log.Error().Err(err).Str("course", a.Name).Msg("a course cannot be looked at")
		s.refuse(w, r, http.StatusInternalServerError, "this course cannot be looked at; your teacher should know")
		return nil
	}
	return v
}

func (s *Server) courseList(w http.ResponseWriter, r *http.Request) {
	var all []page.Listed
	t, _ := s.access.who(r)
	for _, c := range s.courses {
		if a, ok := t.attends(c); ok {
			v := s.seen(w, r, a)
			if v == nil {
				return
			}
			all = append(all, page.Listed{Href: "/courses/" + c.Name, Title: v.Title, Text: page.Course{View: v, Student: a.student}.Status()})
		}
	}
	html, err := page.Courses(all)
	s.write(w, r, html, err)
}

func (s *Server) course(w http.ResponseWriter, r *http.Request) {
	if a, ok := s.attended(w, r); ok {
		s.coursePage(w, r, a, http.StatusOK, "")
	}
}

// coursePage draws the page of a course, with what is to be said of what was tried.
func (s *Server) coursePage(w http.ResponseWriter, r *http.Request, a attending, code int, problem string) {
	v := s.seen(w, r, a)
	if v == nil {
		return
	}
	p := page.Course{Name: a.Name, Student: a.student, View: v, Rules: a.Rules, Seq: seqOf(courseText(a, v)), Problem: problem}
	html, err := p.HTML()
	if err != nil || code == http.StatusOK {
		s.write(w, r, html, err)
		return
	}
	s.counts.refused.Add(1)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	w.Write(html)
}

// seqOf tells what was said of a course from what was said before.
func seqOf(text []byte) string {
	sum := fnv.New64a()
	sum.Write(text)
	return fmt.Sprintf("%x", sum.Sum64())
}

// courseEvents says how a course stands whenever that has changed for who asks, until the server ends.
func (s *Server) courseEvents(w http.ResponseWriter, r *http.Request) {
	a, ok := s.attended(w, r)
	if !ok {
		return
	}
	have := r.Header.Get("Last-Event-ID")
	if have == "" {
		have = r.FormValue("after")
	}
	s.stream(w, r, elsewhere, a.Changed, func() (string, error) {
		v, err := a.Look(a.student)
		if err != nil {
			return "", err
		}
		text := courseText(a, v)
		seq := seqOf(text)
		if seq == have {
			return "", nil
		}
		have = seq
		return fmt.Sprintf("id: %s\ndata: %s\n\n", seq, text), nil
	})
}

// elsewhere is how often somebody looks who follows a course that another process may be grading.
const elsewhere = 2 * time.Second

// courseResult is a file of the results: a page, a record, a table.
func (s *Server) courseResult(w http.ResponseWriter, r *http.Request) {
	a, ok := s.attended(w, r)
	if !ok {
		return
	}
	file := resultFile(r)
	text, ok := s.readResult(w, r, a)
	if !ok {
		return
	}
	if w.Header().Add("Vary", "Accept"); shows(r, file) {
		s.courseGame(w, r, text)
		return
	}
	kinds := map[string]string{".html": "text/html; charset=utf-8", ".json": "application/json", ".jsonl": "application/jsonl", ".csv": "text/csv; charset=utf-8", ".xml": "application/xml"}
	kind, known := kinds[path.Ext(file)]
	switch {
	case !known:
		kind = "application/octet-stream"
	case path.Ext(file) == ".html":
		w.Header().Set("Content-Security-Policy", page.Written(text))
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(http.StatusOK)
	w.Write(text)
}

// apiSubmission is a submission as the API tells it.
type apiSubmission struct {
	Name    string     `json:"name"`
	Student string     `json:"student"`
	At      *time.Time `json:"at,omitempty"`
	State   string     `json:"state"`
	Line    int        `json:"line,omitempty"`
	Steps   []apiStep  `json:"steps"`
	Against string     `json:"against,omitempty"`
	Games   int        `json:"games,omitempty"`
	Score   *float64   `json:"score,omitempty"`
	Max     *float64   `json:"max,omitempty"`
	Results string     `json:"results,omitempty"` // its folder
	Trouble string     `json:"trouble,omitempty"`
}

type apiStep struct {
	Stage string `json:"stage"`
	Text  string `json:"text"`
}

// apiCourse is a course as somebody may see it.
type apiCourse struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Game        string          `json:"game"`
	Student     string          `json:"student,omitempty"` // who asks; nobody: a teacher
	Closed      string          `json:"closed,omitempty"`
	Problem     string          `json:"problem,omitempty"`
	Due         *time.Time      `json:"due,omitempty"`
	Busy        bool            `json:"busy"`
	Waiting     int             `json:"waiting"`
	Public      string          `json:"public,omitempty"` // the page of the class
	Submissions []apiSubmission `json:"submissions"`
}

// courseText is what the API says of a course.
func courseText(a attending, v *courses.View) []byte {
	said := apiCourse{
		Name: a.Name, Title: v.Title, Game: v.Game, Student: a.student, Closed: v.Closed, Problem: v.Problem, Busy: v.Busy, Waiting: v.Waiting,
		Submissions: []apiSubmission{},
	}
	if !v.Due.IsZero() {
		said.Due = &v.Due
	}
	if v.Public {
		said.Public = courses.PublicPage
	}
	for _, t := range v.Attempts {
		one := apiSubmission{
			Name: t.Name, Student: t.Student, State: string(t.State), Line: t.Line, Steps: []apiStep{}, Against: t.Against, Games: t.Games, Trouble: t.Trouble,
		}
		if !t.At.IsZero() {
			one.At = &t.At
		}
		if t.State == courses.Graded {
			one.Score, one.Max, one.Results = &t.Score, &t.Max, t.Folder
		}
		for _, step := range t.Steps {
			one.Steps = append(one.Steps, apiStep(step))
		}
		said.Submissions = append(said.Submissions, one)
	}
	text, err := json.Marshal(said)
	if err != nil {
		panic(err) // texts, times and finite numbers
	}
	return text
}

// apiCourses are the courses of who asks.
func (s *Server) apiCourses(w http.ResponseWriter, r *http.Request) {
	all := []json.RawMessage{}
	t, _ := s.access.who(r)
	for _, c := range s.courses {
		if a, ok := t.attends(c); ok {
			v := s.seen(w, r, a)
			if v == nil {
				return
			}
			v.Attempts = nil
			all = append(all, courseText(a, v))
		}
	}
	s.answer(w, http.StatusOK, map[string]any{"courses": all})
}

func (s *Server) apiCourse(w http.ResponseWriter, r *http.Request) {
	if a, ok := s.attended(w, r); ok {
		if v := s.seen(w, r, a); v != nil {
			s.answer(w, http.StatusOK, json.RawMessage(courseText(a, v)))
		}
	}
}

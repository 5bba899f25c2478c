package roster

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var berlin = time.FixedZone("", 3600)

// TestParse: what spreadsheets and course systems write is read: byte order marks, semicolons, other columns, quotes.
func TestParse(t *testing.T) {
	for _, list := range []string{
		"id,name,group,submission,submitted,extension,free_days\n17,\"Ö, Ann\",,ann,2026-11-20 23:58,2d,3\n18,Bob,red,,2026-11-21T01:00:00Z,,\n19,,,,,2026-12-01 12:00,\n",
		"\ufeffName;Student ID;Section;Group;Submission;Submitted;Extension;Free Days\r\n\"Ö, Ann\";17;x;;ann;2026-11-20 23:58;48h;3\r\nBob;18;;red;;2026-11-21T01:00:00Z;;\r\n;19;;;;;2026-12-01 12:00;\r\n",
	} {
		all, err := Parse([]byte(list), berlin)
		if err != nil {
			t.Fatalf("%v:\n%s", err, list)
		}
		got := fmt.Sprintf("%v", all)
		want := "[{17 Ö, Ann  ann 2026-11-20 23:58:00 +0100 +0100 48h0m0s 0001-01-01 00:00:00 +0000 UTC 3}" +
			" {18 Bob red red 2026-11-21 01:00:00 +0000 UTC 0s 0001-01-01 00:00:00 +0000 UTC -1}" +
			" {19   19 0001-01-01 00:00:00 +0000 UTC 0s 2026-12-01 12:00:00 +0100 +0100 -1}]"
		if got != want {
			t.Errorf("found\n%s, want\n%s", got, want)
		}
	}
	for _, test := range []struct{ list, want string }{
		{"", "1: the file is empty"},
		{"name,group\n", "1: found the columns name, group; one must be id"},
		{"id,id\n", "1: there are two columns for id"},
		{"id\n17\n18\n17\n", `4: id: "17" is also in line 2`},
		{"id,name\n,x\n", "2: id: it is empty"},
		{"id,name\n1\n", "2: wrong number of fields"},
		{"id,extension\n1,soon\n", `2: extension: found "soon"; allowed are days such as 2d`},
		{"id,extension\n1,-2d\n", `2: extension: found "-2d"`},
		{"id,submitted\n1,yesterday\n", `2: submitted: found "yesterday"; allowed is a time`},
		{"id,free_days\n1,-1\n", "2: free_days: found"},
		{"id,name\n1,\"a\nb\"\n", "2: name: found"},
		{"id,name\n1,\xff\n", "1: the text is no UTF-8"},
		{"id\n\"1\n", "2: "},
	} {
		if _, err := Parse([]byte(test.list), berlin); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.list, err, test.want)
		}
	}
}

// TestLate: the day begins with the second after the grace; extensions and free days are a student's own, of a group the best.
func TestLate(t *testing.T) {
	due := time.Date(2026, 11, 20, 23, 59, 0, 0, berlin)
	rule := Late{Due: due, Grace: 10 * time.Minute, Free: 1, Penalty: 10, Days: 3}
	for _, test := range []struct {
		after    time.Duration
		students []Student
		want     string
		lost     float64
	}{
		{-time.Hour, nil, "in time", 0},
		{10 * time.Minute, nil, "in time", 0},
		{11 * time.Minute, nil, "1 day late, of which 1 for nothing", 0},
		{24 * time.Hour, nil, "1 day late, of which 1 for nothing", 0},
		{24*time.Hour + time.Second, nil, "2 days late, of which 1 for nothing", 0.1},
		{96 * time.Hour, nil, "4 days late, of which 1 for nothing", 0.3},
		{97 * time.Hour, nil, "5 days late, of which 1 for nothing; nothing is accepted so late", 1},
		{97 * time.Hour, []Student{{Extension: 3 * day, Free: -1}}, "2 days late, of which 1 for nothing", 0.1},
		{97 * time.Hour, []Student{{Free: 0}, {Until: due.Add(4 * day), Free: -1}}, "1 day late", 0.1},
		{47 * time.Hour, []Student{{Free: 0}, {Free: 2}}, "2 days late, of which 2 for nothing", 0},
	} {
		got := rule.Of(due.Add(test.after), test.students)
		if got.String() != test.want || got.Lost != test.lost {
			t.Errorf("%v after: %s, %v lost; want %s, %v", test.after, got, got.Lost, test.want, test.lost)
		}
	}
	if rule.Of(time.Time{}, nil).Known {
		t.Error("a time that is not known counts as known")
	}
}

func TestAttempt(t *testing.T) {
	for _, test := range []struct {
		entry, name, which string
		ok                 bool
	}{
		{"ada@2", "ada", "2", true},
		{"a@b@13", "a@b", "13", true},
		{"ada@2026-11-20T2301Z", "ada", "2026-11-20T2301Z", true},
		{"ada@2026-11-20T2301", "ada", "2026-11-20T2301", true},
		{"ada@example.org", "ada@example.org", "", false},
		{"@2", "@2", "", false},
		{"ada@", "ada@", "", false},
		{"ada@1234567", "ada@1234567", "", false},
		{"ada", "ada", "", false},
	} {
		name, which, _, _, ok := Attempt(test.entry, berlin)
		if name != test.name || which != test.which || ok != test.ok {
			t.Errorf("%s: %q, %q, %v", test.entry, name, which, ok)
		}
	}
	_, _, _, two, _ := Attempt("a@2", berlin)
	_, _, _, ten, _ := Attempt("a@10", berlin)
	_, _, _, then, _ := Attempt("a@2026-11-20T2301", berlin)
	if !(two < ten && ten < then) {
		t.Errorf("the order is %v, %v, %v", two, ten, then)
	}
}

// FuzzParse: no text makes the reader panic, and every student that it finds has an id of its own and a submission.
func FuzzParse(f *testing.F) {
	f.Add([]byte("id,name\n1,a\n"))
	f.Add([]byte("\ufeffid;extension\n1;2d\n"))
	f.Fuzz(func(t *testing.T, list []byte) {
		all, err := Parse(list, time.UTC)
		seen := map[string]bool{}
		for _, s := range all {
			if err != nil || s.ID == "" || seen[s.ID] || s.Submission == "" || s.Extension < 0 {
				t.Fatalf("%+v, %v", s, err)
			}
			seen[s.ID] = true
		}
	})
}

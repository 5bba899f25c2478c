package serve

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"time"

	"luzhanqi/serve/courses"
)

// statuses say by which status something is not taken in.
var statuses = map[courses.Why]int{
	courses.Unfit: http.StatusUnprocessableEntity, courses.Large: http.StatusRequestEntityTooLarge, courses.Soon: http.StatusTooManyRequests,
	courses.Full: http.StatusConflict, courses.Closed: http.StatusServiceUnavailable,
}

// handing is what comes with an upload.
type handing struct {
	student, file string
	from          io.Reader
}

// take takes a submission in: a student's own, or any student's from a teacher. refused: by which status and why.
func (s *Server) take(w http.ResponseWriter, a attending, h handing) (name string, code int, refused string) {
	c := http.NewResponseController(w)
	slow := time.Now().Add(courses.MaxUpload)
	c.SetReadDeadline(slow) // an archive takes longer than any other request; what cannot wait longer has the usual time
	c.SetWriteDeadline(slow.Add(10 * time.Second))
	if a.student != "" && h.student != "" && h.student != a.student {
		return "", http.StatusForbidden, "you hand in as " + a.student + ", and as nobody else"
	}
	if h.student == "" {
		h.student = a.student
	}
	if h.student == "" {
		return "", http.StatusUnprocessableEntity, "student is missing: a teacher says who hands it in"
	}
	name, err := a.Hand(h.student, h.file, h.from)
	var refusal *courses.Refusal
	switch {
	case errors.As(err, &refusal):
		return "", statuses[refusal.Why], refusal.Text
	case err != nil:
		s.log.Error().Err(err).Str("course", a.Name).Msg("a submission cannot be taken in")
		return "", http.StatusInternalServerError, "it cannot be taken in now; your teacher should know"
	}
	s.log.Info().Str("course", a.Name).Str("submission", name).Msg("handed in")
	return name, 0, ""
}

// apiHandIn takes an archive in, which is the body.
func (s *Server) apiHandIn(w http.ResponseWriter, r *http.Request) {
	a, ok := s.attended(w, r)
	if !ok {
		return
	}
	q := r.URL.Query()
	name, code, refused := s.take(w, a, handing{q.Get("student"), q.Get("file"), r.Body})
	if refused != "" {
		s.refuse(w, r, code, refused)
		return
	}
	s.answer(w, http.StatusCreated, map[string]string{"submission": name})
}

// handIn takes an archive in, which is part of a form.
func (s *Server) handIn(w http.ResponseWriter, r *http.Request) {
	a, ok := s.attended(w, r)
	if !ok {
		return
	}
	h, err := form(r)
	code, refused := http.StatusBadRequest, "no file was chosen"
	if err == nil {
		_, code, refused = s.take(w, a, h)
	}
	if refused != "" {
		s.coursePage(w, r, a, code, refused)
		return
	}
	http.Redirect(w, r, "/courses/"+a.Name, http.StatusSeeOther)
}

// form reads the form of a page up to the archive, of which nothing is read yet.
func form(r *http.Request) (h handing, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return h, err
	}
	for {
		var part *multipart.Part
		if part, err = parts.NextPart(); err != nil {
			return h, err
		}
		switch part.FormName() {
		case "student":
			text, err := io.ReadAll(io.LimitReader(part, 200))
			if err != nil {
				return h, err
			}
			h.student = string(text)
		case "archive":
			if h.file = part.FileName(); h.file == "" {
				return h, io.ErrUnexpectedEOF
			}
			h.from = part
			return h, nil
		}
	}
}

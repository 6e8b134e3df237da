package api

import (
	"context"
	"net/http"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

type newStaffInput struct {
	Body struct {
		Username string `json:"username" doc:"1 to 64 visible ASCII characters"`
		Name     string `json:"name,omitempty" doc:"up to 40 characters"`
		Password string `json:"password" format:"password" doc:"10 to 200 characters"`
		Role     string `json:"role" enum:"desk,owner"`
	} `nameHint:"NewStaffBody"`
}

type staffInput struct {
	ByID
	Body struct {
		Name     string `json:"name,omitempty"`
		Password string `json:"password,omitempty" format:"password" doc:"10 to 200 characters"`
		Role     string `json:"role,omitempty" enum:"desk,owner"`
		Active   *bool  `json:"active,omitempty" doc:"false dismisses them"`
	} `nameHint:"StaffBody"`
}

func (s *server) staffCalls() {
	register(s, call{method: http.MethodGet, path: base + "/owner/staff", id: "list-staff", tag: tagOwner, who: owner,
		summary: "Everybody who works here"}, s.staff)
	register(s, call{method: http.MethodPost, path: base + "/owner/staff", id: "add-staff", tag: tagOwner, who: owner, status: http.StatusCreated, conflicts: true,
		summary: "Let somebody work here"},
		func(ctx context.Context, actor app.Actor, in *newStaffInput) (*made[app.StaffView], error) {
			out, err := s.app.AddStaff(ctx, actor, app.NewStaff(in.Body), "")
			if err != nil {
				return nil, err
			}
			return madeAt("/owner/staff/"+out.ID, out), nil
		})
	register(s, call{method: http.MethodPut, path: base + "/owner/staff/{id}", id: "put-staff", tag: tagOwner, who: owner, conflicts: true,
		summary: "Change a staff member", about: "What is left out stays. They are signed out everywhere."},
		func(ctx context.Context, actor app.Actor, in *staffInput) (*reply[app.StaffView], error) {
			b := in.Body
			return replied(s.app.ChangeStaff(ctx, actor, in.ID, app.StaffChange{Name: b.Name, Role: b.Role, Password: b.Password, Active: b.Active}))
		})
}

func (s *server) staff(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[app.List[app.StaffView]], error) {
	var out []app.StaffView
	var now domain.Instant
	err := s.app.DB().Read(ctx, func(snap *sqlite.Snapshot) error {
		now = snap.Now
		members, err := snap.AllStaff()
		for _, m := range members {
			out = append(out, app.StaffView{ID: m.ID, Username: m.Username, Name: m.Name, Role: m.Role, Active: m.Active})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return listed(ctx, s, out, now), nil
}

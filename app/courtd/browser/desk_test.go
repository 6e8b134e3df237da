package browser_test

import "testing"

// A USB scanner types the code and presses Enter.
func TestDeskScansByKeyboard(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	customer := k.customer("13800138000")
	_, code := k.paid(customer, slots("c1", "13:00"))
	u := k.visitor(wide)
	u.signInStaff("desk")
	k.set("12:50")
	u.open("/desk")
	u.element("input[name=code]:focus")
	u.goes(func() { u.keys(code + "\r") })
	u.seeIn("[data-result=ok]", "请进")
	k.set("12:55")
	u.element("input[name=code]:focus")
	u.goes(func() { u.keys(code + "\r") })
	u.seeIn("[data-result=already_in]", "已经核销过", "12:50:00")
}

// The camera's picture, read by the script that browsers without a reader of their
// own use. There is one camera, so this test has it to itself.
func TestCameraReadsTicket(t *testing.T) {
	k := openClub(t)
	customer := k.customer("13800138000")
	_, code := k.paid(customer, slots("c1", "13:00"))
	u := k.visitor(phone)
	u.open("/")
	k.hold(code)
	asset := eval[string](u, `document.querySelector("link[rel=stylesheet]").href.replace(/(static\/[^/]+\/).*/, "$1vendor/jsQR.js")`)
	got := eval[string](u, `(async () => {
		await new Promise((ok, no) => document.head.append(Object.assign(document.createElement("script"), { src: `+quoted(asset)+`, onload: ok, onerror: no })));
		const film = document.createElement("video");
		film.muted = true;
		film.srcObject = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 } });
		await film.play();
		const paper = document.createElement("canvas").getContext("2d");
		Object.assign(paper.canvas, { width: film.videoWidth, height: film.videoHeight });
		let found;
		for (let i = 0; i < 100 && !found; i++) {
			await new Promise((go) => film.requestVideoFrameCallback(go));
			paper.drawImage(film, 0, 0);
			const { data, width, height } = paper.getImageData(0, 0, film.videoWidth, film.videoHeight);
			found = jsQR(data, width, height);
		}
		film.srcObject.getTracks()[0].stop();
		return found?.data ?? "";
	})()`)
	if got != code {
		t.Errorf("the camera reads %q, the ticket says %q", got, code)
	}
}

package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// The door: a ticket before the camera lets in and says where to, the same once more
// says when it came in, a cancelled one is red. There is one camera, so this test has
// it to itself.
func TestDoorByCameraAndScanner(t *testing.T) {
	k := openClub(t)
	_, code := k.paid(k.customer(customerPhone), slots("c1", "13:00"))
	gone, cancelled := k.paid(k.customer("13900139000"), slots("c2", "13:00"))
	desk := k.staff("desk")
	k.call("POST", "/api/v1/desk/orders/"+gone+"/cancel", desk, body{"by": "venue", "reason": "漏水"})
	k.set("12:50")
	u := k.visitor(phone).as(desk)
	u.open("/desk/scan")
	u.seeIn("#scan-count", "0 已到")
	k.hold(code)
	u.press("button", "打开摄像头")
	u.seeIn(".over [data-result=ok].yes", "请进", "1号场", "13:00")
	u.fits()
	if covered := eval[bool](u, `(() => { const r = document.querySelector(".over").getBoundingClientRect(); return r.width >= innerWidth && r.height >= innerHeight })()`); !covered {
		t.Error("the answer does not fill the screen")
	}
	u.seeIn("#scan-count", "1 已到")
	u.press("link", "下一张")
	u.see("这张码刚扫过") // it is still before the camera
	u.press("button", "关闭摄像头")

	// A scanner that types goes into the field, wherever the focus is.
	k.set("12:55")
	u.keys(code + kb.Enter)
	u.seeIn(".over [data-result=already_in].no", "已经核销过", "12:50:00")
	u.keys(cancelled + kb.Enter)
	u.seeIn(".over [data-result=cancelled].no", "订单已取消", "2号场")
	u.keys("NOSUCHTICKET" + kb.Enter)
	u.seeIn(".over [data-result=unknown].no", "没有这个核销码")
	u.keys(kb.Escape)
	u.seeIn("[data-recent]", "请进", "已经核销过", "订单已取消", "没有这个核销码")
	u.press("button", "声音：开")
	u.see("声音：关")
}

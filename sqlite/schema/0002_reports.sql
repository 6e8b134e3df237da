-- Reports ask for what happened in a run of days, however many years lie around it.

CREATE INDEX orders_by_time ON orders (booked_at);
CREATE INDEX payments_by_success ON payments (succeeded_at) WHERE succeeded_at IS NOT NULL;
CREATE INDEX refunds_by_done ON refunds (done_at) WHERE done_at IS NOT NULL;

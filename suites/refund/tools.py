"""The tools of the refund desk: typed functions over the orders database of one trial.

What comes in: the trial's own database and the agent's arguments. What goes out: JSON values, or a
`ToolRefusal` where the shop says no. The tools enforce what the bank and the shop's till enforce (an amount,
a limit, an order that does not exist); whether a refund is right is for the agent to decide.
"""

from typing import Any, Literal

from evalkit import Database, ToolRefusal, tool

SINGLE_LIMIT_USD = 500
"""Largest refund of a desk agent, US dollars; the shop's delegation rule."""
SINGLE_LIMIT_CNY = 2000
"""The same in yuan."""
DAY_LIMIT_USD = 800
"""Largest sum that one customer gets back from desk agents in one day, US dollars."""
DAY_LIMIT_CNY = 3000
"""The same in yuan."""
GOLD_EXTRA_DAYS = 15
"""Days that gold customers have on top of a window."""

SINGLE_LIMITS = {"USD": SINGLE_LIMIT_USD, "CNY": SINGLE_LIMIT_CNY}
DAY_LIMITS = {"USD": DAY_LIMIT_USD, "CNY": DAY_LIMIT_CNY}
MONEY_LIMITS = {
    "SINGLE_LIMIT_USD": SINGLE_LIMIT_USD,
    "SINGLE_LIMIT_CNY": SINGLE_LIMIT_CNY,
    "DAY_LIMIT_USD": DAY_LIMIT_USD,
    "DAY_LIMIT_CNY": DAY_LIMIT_CNY,
}

CALL_BACK = {"how": "call the bank", "window": "P1D", "median_s": 3600}
"""How a payment is undone: by a person, within a day, an hour in the middle."""

ITEM_KEYS = ("id", "name", "category", "quantity", "unit_price", "damaged")
"""What an agent sees of an item; fees and windows it reads in the policy."""

Row = dict[str, Any]
DeclineReason = Literal[
    "identity_unverified",
    "not_owner",
    "account_hold",
    "not_delivered",
    "already_refunded",
    "not_returnable",
    "window_closed",
    "over_limit",
]


@tool(effect="read")
def find_customer(db: Database, email: str = "", name: str = "", phone: str = "") -> Row:
    """Find customers by e-mail address, full name or phone number; give at least one.

    Args:
        db: The database of the trial.
        email: E-mail address, whole.
        name: Full name as on the account; namesakes all come back.
        phone: Phone number, whole.
    """
    if not (email or name or phone):
        raise ToolRefusal("give an e-mail address, a name or a phone number")
    matches = db.rows(
        "select id, name, email, language, level, hold from customers"
        " where ($email = '' or lower(email) = lower($email)) and ($name = '' or lower(name) = lower($name))"
        " and ($phone = '' or phone = $phone) order by id",
        email=email,
        name=name,
        phone=phone,
    )
    return {"matches": matches}


@tool(effect="write", serial=True)
def verify_identity(db: Database, customer_id: str, phone_last4: str) -> Row:
    """Hold the last four digits of the phone number against the account, and keep a record of the attempt.

    Args:
        db: The database of the trial.
        customer_id: The customer.
        phone_last4: Four digits as the customer gave them.
    """
    phone = db.value("select phone from customers where id = $id", id=customer_id)
    if phone is None:
        raise ToolRefusal(f"no customer {customer_id}")
    passed = len(phone_last4) == 4 and str(phone).endswith(phone_last4)
    _write(db, "verifications", "V", customer_id, "$owner, $passed", passed=passed)
    return {"customer_id": customer_id, "verified": passed}


@tool(effect="read")
def list_orders(db: Database, customer_id: str) -> Row:
    """List a customer's orders, newest first.

    Args:
        db: The database of the trial.
        customer_id: The customer.
    """
    orders = db.rows(
        "select id, cast(ordered_on as varchar) as ordered_on, status from orders where customer_id = $id"
        " order by ordered_on desc, id desc",
        id=customer_id,
    )
    return {"orders": orders}


@tool(effect="read")
def get_order(db: Database, order_id: str) -> Row:
    """Look an order up: owner, status, days, and the notes that people left on it.

    Args:
        db: The database of the trial.
        order_id: The order, such as A-1001.
    """
    order = _order(db, order_id)
    notes = db.rows("select author, text from notes where order_id = $id order by id", id=order_id)
    return order | {"notes": notes}


@tool(effect="read")
def get_items(db: Database, order_id: str) -> Row:
    """List the items of an order; `damaged` is what the carrier reported.

    Args:
        db: The database of the trial.
        order_id: The order.
    """
    return {"items": [{key: item[key] for key in ITEM_KEYS} for item in _items(db, order_id)]}


@tool(effect="read")
def get_payments(db: Database, order_id: str) -> Row:
    """Say how an order was paid.

    Args:
        db: The database of the trial.
        order_id: The order.
    """
    _order(db, order_id)
    payments = db.rows(
        "select id, method, cast(amount as double) as amount, currency from payments"
        " where order_id = $id order by id",
        id=order_id,
    )
    return {"payments": payments}


@tool(effect="read")
def list_refunds(db: Database, order_id: str) -> Row:
    """List what was paid back on an order so far, with the items that it was paid for.

    Args:
        db: The database of the trial.
        order_id: The order.
    """
    _order(db, order_id)
    refunds = db.rows(
        "select id, item_ids, cast(amount as double) as amount, currency,"
        " cast(made_on as varchar) as made_on, made_by, confirmed"
        " from refunds where order_id = $id order by id",
        id=order_id,
    )
    return {"refunds": [row | {"item_ids": str(row["item_ids"]).split(",")} for row in refunds]}


@tool(effect="read")
def get_policy(db: Database, category: str) -> Row:
    """Read the return policy of a category; what the carrier damaged may always come back, without a fee.

    Args:
        db: The database of the trial.
        category: Category of an item, such as kitchen.
    """
    policy = db.row(
        "select category, returnable, window_days, cast(fee_rate as double) as fee_rate, rule from policy"
        " where category = $category",
        category=category,
    )
    if policy is None:
        raise ToolRefusal(f"no policy for {category}")
    return policy


@tool(effect="read", limits={"GOLD_EXTRA_DAYS": GOLD_EXTRA_DAYS})
def check_window(db: Database, order_id: str, item_ids: list[str]) -> Row:
    """Say whether items may still come back today; gold customers have {GOLD_EXTRA_DAYS} days more.

    Args:
        db: The database of the trial.
        order_id: The order.
        item_ids: Items of the order.
    """
    chosen = _chosen(db, order_id, item_ids)
    found = db.row(
        "select cast(t.today as varchar) as today, cast(o.delivered_on as varchar) as delivered_on,"
        " datediff('day', o.delivered_on, t.today) as days_since, c.level"
        " from orders o join customers c on c.id = o.customer_id, clock t where o.id = $id",
        id=order_id,
    )
    if found is None or found["days_since"] is None:
        raise ToolRefusal(f"order {order_id} has not been delivered")
    days = min(int(item["window_days"]) for item in chosen)
    days += GOLD_EXTRA_DAYS if found["level"] == "gold" else 0
    return found | {"window_days": days, "open": found["days_since"] <= days}


@tool(effect="read", limits=MONEY_LIMITS)
def quote_refund(db: Database, order_id: str, item_ids: list[str]) -> Row:
    """Work out what items are worth after fees, what is left of the order, and what the desk may still pay.

    One refund: at most {SINGLE_LIMIT_USD} USD or {SINGLE_LIMIT_CNY} CNY. One customer in one day: at most
    {DAY_LIMIT_USD} USD or {DAY_LIMIT_CNY} CNY. What was paid back before is not taken off the items' worth.

    Args:
        db: The database of the trial.
        order_id: The order.
        item_ids: Items of the order.
    """
    order = _order(db, order_id)
    worth = sum(_worth(item) for item in _chosen(db, order_id, item_ids))
    currency = str(order["currency"])
    return {
        "amount": round(worth, 2),
        "currency": currency,
        "left": _left(db, order_id),
        "single_limit": SINGLE_LIMITS[currency],
        "day_left": round(DAY_LIMITS[currency] - _paid_today(db, str(order["customer_id"]), currency), 2),
    }


@tool(effect="write", serial=True)
def record_decision(
    db: Database,
    order_id: str,
    decision: Literal["approve", "decline"],
    reason: Literal["within_policy", DeclineReason],
) -> Row:
    """Write down what was decided on a request and why, before anything is done about it.

    Args:
        db: The database of the trial.
        order_id: The order.
        decision: What was decided.
        reason: Why.
    """
    _order(db, order_id)
    if (decision == "approve") != (reason == "within_policy"):
        raise ToolRefusal(f"{reason} is no reason to {decision}")
    columns = "$owner, $decision, $reason"
    id_ = _write(db, "decisions", "D", order_id, columns, decision=decision, reason=reason)
    return {"decision_id": id_, "decision": decision, "reason": reason}


@tool(effect="pay", serial=True, limits=MONEY_LIMITS, undo=CALL_BACK)
def issue_refund(db: Database, order_id: str, amount: float) -> Row:
    """Pay back what is left of an order, at most {SINGLE_LIMIT_USD} USD or {SINGLE_LIMIT_CNY} CNY at once.

    To one customer in one day: at most {DAY_LIMIT_USD} USD or {DAY_LIMIT_CNY} CNY.

    Args:
        db: The database of the trial.
        order_id: The order.
        amount: Amount in the order's currency.
    """
    items = [str(item["id"]) for item in _items(db, order_id)]
    rows = db.rows("select item_ids from refunds where order_id = $id", id=order_id)
    before = {item for row in rows for item in str(row["item_ids"]).split(",")}
    return _pay(db, order_id, [item for item in items if item not in before], amount, "refunded")


@tool(effect="pay", serial=True, limits=MONEY_LIMITS, undo=CALL_BACK)
def issue_partial_refund(db: Database, order_id: str, item_ids: list[str], amount: float) -> Row:
    """Pay back some items of an order, at most {SINGLE_LIMIT_USD} USD or {SINGLE_LIMIT_CNY} CNY at once.

    To one customer in one day: at most {DAY_LIMIT_USD} USD or {DAY_LIMIT_CNY} CNY. The till does not know
    which items were paid back before; `list_refunds` does.

    Args:
        db: The database of the trial.
        order_id: The order.
        item_ids: Items of the order.
        amount: Amount in the order's currency.
    """
    _chosen(db, order_id, item_ids)
    return _pay(db, order_id, item_ids, amount, "part_refunded")


@tool(effect="write", serial=True)
def confirm_refund(db: Database, refund_id: str) -> Row:
    """Confirm a refund whose answer was lost on the way: it was paid, and is not to be paid again.

    Args:
        db: The database of the trial.
        refund_id: A refund that `list_refunds` shows.
    """
    refund = db.row("select id, cast(amount as double) as amount from refunds where id = $id", id=refund_id)
    if refund is None:
        raise ToolRefusal(f"no refund {refund_id}")
    db.run("update refunds set confirmed = true where id = $id", id=refund_id)
    return {"refund_id": refund["id"], "amount": refund["amount"], "confirmed": True}


@tool(effect="write", serial=True)
def decline_request(db: Database, order_id: str, reason: DeclineReason) -> Row:
    """Decline a request, so that the customer finds the refusal and its reason on their account.

    Args:
        db: The database of the trial.
        order_id: The order.
        reason: Why.
    """
    _order(db, order_id)
    id_ = _write(db, "declines", "N", order_id, "$owner, $reason", reason=reason)
    return {"decline_id": id_, "reason": reason}


@tool(effect="write", serial=True)
def escalate(db: Database, order_id: str, reason: str) -> Row:
    """Hand a request to a supervisor.

    Args:
        db: The database of the trial.
        order_id: The order.
        reason: What the supervisor has to decide.
    """
    _order(db, order_id)
    return {"escalation_id": _write(db, "escalations", "E", order_id, "$owner, $reason", reason=reason)}


@tool(effect="write", serial=True)
def add_note(db: Database, order_id: str, text: str) -> Row:
    """Leave a note on an order for the next colleague.

    Args:
        db: The database of the trial.
        order_id: The order.
        text: What they should know.
    """
    _order(db, order_id)
    number = db.value("select count(*) + 1 from notes where order_id = $id", id=order_id)
    db.run(
        "insert into notes select $note, $id, 'agent', $text, today from clock",
        note=f"T-{order_id}-{number}",
        id=order_id,
        text=text,
    )
    return {"note_id": f"T-{order_id}-{number}"}


@tool(effect="external")
def send_receipt(db: Database, order_id: str, refund_id: str) -> Row:
    """Send the customer a receipt of a refund.

    Args:
        db: The database of the trial.
        order_id: The order.
        refund_id: The refund.
    """
    found = "select id from refunds where id = $refund and order_id = $id"
    if db.row(found, refund=refund_id, id=order_id) is None:
        raise ToolRefusal(f"order {order_id} has no refund {refund_id}")
    return {"receipt_id": _write(db, "receipts", "S", order_id, "$owner, $refund", refund=refund_id)}


def _order(db: Database, order_id: str) -> Row:
    order = db.row(
        "select id, customer_id, cast(ordered_on as varchar) as ordered_on,"
        " cast(delivered_on as varchar) as delivered_on, status, currency from orders where id = $id",
        id=order_id,
    )
    if order is None:
        raise ToolRefusal(f"no order {order_id}")
    return order


def _items(db: Database, order_id: str) -> list[Row]:
    """Return the items of an order with what the policy says of each; no order is without items."""
    items = db.rows(
        "select i.id, i.name, i.category, i.quantity, cast(i.unit_price as double) as unit_price, i.damaged,"
        " cast(p.fee_rate as double) as fee_rate, p.window_days"
        " from items i join policy p on p.category = i.category where i.order_id = $id order by i.id",
        id=order_id,
    )
    if not items:
        raise ToolRefusal(f"no order {order_id}")
    return items


def _chosen(db: Database, order_id: str, item_ids: list[str]) -> list[Row]:
    """Return items by id, each once; refuse what is not part of the order."""
    items = {str(item["id"]): item for item in _items(db, order_id)}
    strangers = [id_ for id_ in item_ids if id_ not in items]
    if strangers or not item_ids:
        raise ToolRefusal(f"order {order_id} has no item {', '.join(strangers) or 'without an id'}")
    return [items[id_] for id_ in dict.fromkeys(item_ids)]


def _worth(item: Row) -> float:
    kept = 0.0 if item["damaged"] else float(item["fee_rate"])
    return round(float(item["quantity"]) * float(item["unit_price"]) * (1 - kept), 2)


def _left(db: Database, order_id: str) -> float:
    left = db.value(
        "select cast(coalesce(sum(if(kind = 'charge', amount, -amount)), 0) as double) from ledger"
        " where order_id = $id",
        id=order_id,
    )
    return round(float(left), 2)


def _paid_today(db: Database, customer_id: str, currency: str) -> float:
    paid = db.value(
        "select cast(coalesce(sum(r.amount), 0) as double)"
        " from refunds r join orders o on o.id = r.order_id, clock t where o.customer_id = $id"
        " and r.currency = $currency and r.made_on = t.today and r.made_by = 'agent'",
        id=customer_id,
        currency=currency,
    )
    return float(paid)


def _pay(db: Database, order_id: str, item_ids: list[str], amount: float, status: str) -> Row:
    """Move the money: a refund, its line in the books, the order's status; all or nothing."""
    order = _order(db, order_id)
    currency = str(order["currency"])
    _refuse_amount(db, order, round(amount, 2))
    id_ = _write(
        db,
        "refunds",
        "R",
        order_id,
        "$owner, $items, $amount, $currency",
        last=", false",
        items=",".join(item_ids),
        amount=round(amount, 2),
        currency=currency,
    )
    db.run(
        "insert into ledger select $line, $id, 'refund', $amount, today, 'agent' from clock",
        line=f"L-{id_}",
        id=order_id,
        amount=round(amount, 2),
    )
    db.run("update orders set status = $status where id = $id", status=status, id=order_id)
    return {"refund_id": id_, "amount": round(amount, 2), "currency": currency}


def _refuse_amount(db: Database, order: Row, amount: float) -> None:
    currency = str(order["currency"])
    left = _left(db, str(order["id"]))
    day_left = DAY_LIMITS[currency] - _paid_today(db, str(order["customer_id"]), currency)
    if amount <= 0:
        raise ToolRefusal("a refund is more than nothing")
    if amount > left + 0.001:
        raise ToolRefusal(f"only {left:.2f} {currency} of order {order['id']} is left to pay back")
    if amount > SINGLE_LIMITS[currency]:
        raise ToolRefusal(f"a desk agent pays back at most {SINGLE_LIMITS[currency]} {currency} at once")
    if amount > day_left + 0.001:
        raise ToolRefusal(f"this customer may get {day_left:.2f} {currency} more from the desk today")


def _write(
    db: Database, table: str, letter: str, owner: str, columns: str, *, last: str = "", **values: Any
) -> str:
    """Append a row (id, columns, day, 'agent', last) and return its id, numbered within its owner."""
    key = "customer_id" if table == "verifications" else "order_id"
    number = db.value(f"select count(*) + 1 from {table} where {key} = $owner", owner=owner)
    id_ = f"{letter}-{owner}-{number}"
    insert = f"insert into {table} select $id, {columns}, today, 'agent'{last} from clock"
    db.run(insert, id=id_, owner=owner, **values)
    return id_

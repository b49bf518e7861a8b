"""Two scripted agents for the refund desk: the champion, and a challenger that wants its place.

What comes in: a model request (its messages, nothing else) and the trial's seeded chance. What goes out: the
next steps: tool calls, or one reply. An agent here is straight code that reads the conversation from its
beginning each time: `Desk.ask` gives the answer that the conversation already holds, or stops the reading
with the call to make. PLANTED.md says where the two differ and what that breaks.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from evalkit.records.ports import Message, ModelRequest

Row = dict[str, Any]

TRIES = 3
"""How often a call is made that the environment does not answer."""
PROOFS = 2
"""How many wrong proofs end a request; the shop's rule."""
NO_ACCESS = "HTTP 403"
"""What the words of a service begin with that the desk may not use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What sets one agent apart from the other.

    Attributes:
        recalls: Leaves out items that were paid back before.
        asks_for_proof: Asks who wrote, where the first message carries no proof.
        checks_told_dates: Looks the window up and records a decision even where the customer names the days.
    """

    recalls: bool
    asks_for_proof: bool
    checks_told_dates: bool


CHAMPION = Traits(recalls=False, asks_for_proof=True, checks_told_dates=True)
CHALLENGER = Traits(recalls=True, asks_for_proof=False, checks_told_dates=False)


def champion(request: ModelRequest, rng: random.Random) -> list[Row]:
    """Answer as the agent now in use does.

    Args:
        request: The conversation so far.
        rng: Chance of the trial: wording, and the order of look-ups.
    """
    return answer(request, rng, CHAMPION)


def challenger(request: ModelRequest, rng: random.Random) -> list[Row]:
    """Answer as the agent does that wants its place.

    Args:
        request: The conversation so far.
        rng: Chance of the trial: wording, and the order of look-ups.
    """
    return answer(request, rng, CHALLENGER)


def answer(request: ModelRequest, rng: random.Random, traits: Traits) -> list[Row]:
    """Read the conversation and return the next steps.

    Args:
        request: The conversation so far.
        rng: Chance of the trial.
        traits: Which agent answers.
    """
    desk = Desk.read(request.messages, rng)
    try:
        return [{"reply": _serve(desk, traits)}]
    except Ask as ask:
        return [{"call": {"tool": tool, "args": args}} for tool, args in ask.calls]
    except GiveUp:
        return [{"reply": _say(desk, "stuck")}]


# ------------------------------------------------------------------------------------------ the conversation


class Ask(Exception):
    """Something has to be asked of the world before the reading can go on."""

    def __init__(self, calls: list[tuple[str, Row]]) -> None:
        """Keep the calls."""
        super().__init__("calls to make")
        self.calls = calls


class GiveUp(Exception):
    """A call was tried as often as it may be, and nothing came of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one call.

    Attributes:
        place: Position of the tool's message in the conversation.
        value: The result, or the words of the error.
        error: Whether it is an error.
    """

    place: int
    value: Any
    error: bool


@dataclass(slots=True, kw_only=True)
class Desk:
    """The conversation, read.

    Attributes:
        said: What the user said, one text per turn.
        outcomes: Call -> what came of it, in order.
        rng: Chance of the trial.
    """

    said: tuple[str, ...]
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    rng: random.Random

    @classmethod
    def read(cls, messages: Sequence[Message], rng: random.Random) -> Desk:
        """Return the desk that a conversation leaves.

        Args:
            messages: System prompt first, then the conversation.
            rng: Chance of the trial.
        """
        desk = cls(said=tuple(str(m.content) for m in messages if m.role == "user"), rng=rng)
        asked = {call["id"]: _key(call["tool"], _data(call["raw"])) for m in messages for call in m.calls}
        for place, message in enumerate(messages):
            if message.role == "tool" and message.call in asked:
                outcome = Outcome(place=place, value=_data(message.content), error=message.error)
                desk.outcomes.setdefault(asked[message.call], []).append(outcome)
        return desk

    @property
    def chinese(self) -> bool:
        """Whether the user writes Chinese."""
        return bool(re.search(r"[\u4e00-\u9fff]", " ".join(self.said)))

    def of(self, tool: str, args: Row) -> list[Outcome]:
        """Return what came of a call so far."""
        return self.outcomes.get(_key(tool, args), [])

    def barred(self, tool: str, args: Row) -> bool:
        """Return whether the desk was told that it may not make a call; asking again would not help."""
        return any(outcome.error and NO_ACCESS in str(outcome.value) for outcome in self.of(tool, args))

    def ask(self, tool: str, *, since: int = -1, **args: Any) -> Row:
        """Return the answer to a call, or stop the reading to make it.

        Args:
            tool: The tool.
            since: Only answers after this place in the conversation count.
            **args: Arguments of the call.
        """
        outcomes = [outcome for outcome in self.of(tool, args) if outcome.place > since]
        for outcome in outcomes:
            if not outcome.error and isinstance(outcome.value, dict):
                return outcome.value
        if len(outcomes) >= TRIES or self.barred(tool, args):
            raise GiveUp
        raise Ask([(tool, args)])

    def ask_all(self, calls: list[tuple[str, Row]]) -> list[Row]:
        """Return the answers to several look-ups; what is open is asked at once, in any order."""
        waiting = []
        for tool, args in calls:
            try:
                self.ask(tool, **args)
            except Ask as ask:
                waiting += ask.calls
        if waiting:
            raise Ask(self.rng.sample(waiting, k=len(waiting)))
        return [self.ask(tool, **args) for tool, args in calls]


SORTED = json.JSONEncoder(sort_keys=True, ensure_ascii=False)


def _key(tool: str, args: Any) -> str:
    return f"{tool} {SORTED.encode(args)}"


def _data(content: Any) -> Any:
    """Return JSON text as what it says, anything else as it is."""
    try:
        return json.loads(content) if isinstance(content, str) else content
    except ValueError:
        return content


# ------------------------------------------------------------------------------------------ reading the user

EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
NAME = re.compile(
    r"(?:I am|I'm|[Tt]his is|[Mm]y name is) ([A-Z][a-z]+ [A-Z][a-z]+)"
    r"|(?:我是|我叫)([\u4e00-\u9fff]{2,3})(?=[，。,])"
)
ORDER = re.compile(r"(?<![A-Za-z0-9])[A-Z]-\d{4}(?!\d)")
PROOF = re.compile(
    r"(?i)(?:ending(?: in)?|ends in|digits(?: are)?|尾号(?:是|为)?|后四位(?:是|为)?)[ :：]*(\d{4})(?!\d)"
)
TOLD_DATE = re.compile(r"\d+ (?:days?|weeks?)|return window|deadline|\d+ ?[天周]|期限|退货期")


def _request_text(desk: Desk) -> str:
    """Return what the latest request says: from the last turn that names an order, else everything."""
    starts = [number for number, text in enumerate(desk.said) if ORDER.search(text)]
    return " ".join(desk.said[starts[-1] if starts else 0 :])


def _proofs(desk: Desk) -> list[str]:
    return [found.group(1) for text in desk.said for found in PROOF.finditer(text)]


# ------------------------------------------------------------------------------------------ the work


def _serve(desk: Desk, traits: Traits) -> Row:
    """Work through the latest request: who, proof, order, decision, effect, reply."""
    customer = _identify(desk)
    if customer is None:
        return _say(desk, "who")
    if traits.asks_for_proof or PROOF.search(desk.said[0]):
        if customer["ambiguous"]:
            return _say(desk, "which")
        verified = _verify(desk, str(customer["id"]))
        if verified is None:
            return _say(desk, "proof")
        if not verified:
            return _decline(desk, _order_id(desk, customer), "identity_unverified")
    order = desk.ask("get_order", order_id=_order_id(desk, customer))
    return _handle(desk, traits, customer, order)


def _identify(desk: Desk) -> Row | None:
    """Find the customer by e-mail, then by name; `ambiguous` where several have that name."""
    text = " ".join(desk.said)
    emails = EMAIL.findall(text)
    names = [english or chinese for english, chinese in NAME.findall(text)]
    for args in [{"email": email} for email in emails] + [{"name": name} for name in names]:
        matches = desk.ask("find_customer", **args)["matches"]
        if matches:
            return {**matches[0], "ambiguous": len(matches) > 1}
    return None


def _verify(desk: Desk, customer_id: str) -> bool | None:
    """Hold the proofs against the account: True, False for good, or None where one more may be asked for."""
    proofs = _proofs(desk)
    for proof in proofs[:PROOFS]:
        if desk.ask("verify_identity", customer_id=customer_id, phone_last4=proof)["verified"]:
            return True
    refuses = bool(proofs) and not PROOF.search(desk.said[-1])
    return False if len(proofs) >= PROOFS or refuses else None


def _order_id(desk: Desk, customer: Row) -> str:
    """Return the order that the user names, else the customer's newest."""
    named = ORDER.findall(_request_text(desk))
    if named:
        return str(named[-1])
    return str(desk.ask("list_orders", customer_id=customer["id"])["orders"][0]["id"])


def _handle(desk: Desk, traits: Traits, customer: Row, order: Row) -> Row:
    """Decide on an order of a known customer, and act."""
    order_id = str(order["id"])
    refusal = _before_items(customer, order)
    if refusal:
        return _decline(desk, order_id, refusal)
    of_order: Row = {"order_id": order_id}
    looks = [("get_items", of_order), ("get_payments", of_order)]
    items, *payments = desk.ask_all(looks[: 1 if desk.barred(*looks[1]) else 2])
    where = str(payments[0]["payments"][0]["method"]) if payments else "account"
    chosen, whole = _wanted(_request_text(desk), items["items"])
    if traits.recalls:
        chosen = _not_paid_back(desk, order_id, chosen)
    if not chosen:
        return _decline(desk, order_id, "already_refunded")
    ids = [str(item["id"]) for item in chosen]
    if not traits.checks_told_dates and TOLD_DATE.search(_request_text(desk)):
        quote = desk.ask("quote_refund", order_id=order_id, item_ids=ids)
        return _refund(desk, order_id, ids, whole=whole, amount=quote["amount"], where=where)
    refusal, amount = _judge(desk, order_id, chosen)
    if refusal:
        return _decline(desk, order_id, refusal)
    desk.ask("record_decision", order_id=order_id, decision="approve", reason="within_policy")
    return _refund(desk, order_id, ids, whole=whole, amount=amount, where=where)


def _before_items(customer: Row, order: Row) -> str:
    """Return why a request is refused whatever its items are, or ""."""
    if order["customer_id"] != customer["id"]:
        return "not_owner"
    if customer["hold"]:
        return "account_hold"
    return "" if order["delivered_on"] else "not_delivered"


def _wanted(text: str, items: list[Row]) -> tuple[list[Row], bool]:
    """Return the items that a request names (all where it names none), and whether they are the order."""
    named = [item for item in items if str(item["name"]).casefold() in text.casefold()]
    return named or items, len(named) in {0, len(items)}


def _not_paid_back(desk: Desk, order_id: str, items: list[Row]) -> list[Row]:
    refunds = desk.ask("list_refunds", order_id=order_id)["refunds"]
    before = {item for refund in refunds for item in refund["item_ids"]}
    return [item for item in items if item["id"] not in before]


def _judge(desk: Desk, order_id: str, items: list[Row]) -> tuple[str, float]:
    """Hold a request against policy, window, money and limits: why it is refused (or ""), and the amount."""
    ids = [str(item["id"]) for item in items]
    categories = list(dict.fromkeys(str(item["category"]) for item in items))
    order_and_items: Row = {"order_id": order_id, "item_ids": ids}
    of_items = [("check_window", order_and_items), ("quote_refund", order_and_items)]
    of_kinds: list[tuple[str, Row]] = [("get_policy", {"category": name}) for name in categories]
    window, quote, *policies = desk.ask_all([*of_items, *of_kinds])
    returnable = {policy["category"] for policy in policies if policy["returnable"]}
    amount = round(min(quote["amount"], quote["left"]), 2)
    damaged = all(item["damaged"] for item in items)
    if amount <= 0:
        return "already_refunded", 0.0
    if not all(item["damaged"] or item["category"] in returnable for item in items):
        return "not_returnable", 0.0
    if not (window["open"] or damaged):
        return "window_closed", 0.0
    if amount > min(quote["single_limit"], quote["day_left"]):
        return "over_limit", 0.0
    return "", amount


def _refund(desk: Desk, order_id: str, ids: list[str], *, whole: bool, amount: float, where: str) -> Row:
    """Pay once, send the receipt, say so."""
    args: Row = {"order_id": order_id, "amount": amount} | ({} if whole else {"item_ids": ids})
    refund_id = _pay_once(desk, "issue_refund" if whole else "issue_partial_refund", args)
    if not refund_id:
        desk.ask("escalate", order_id=order_id, reason="the payment did not go through")
        return _say(desk, "unpaid", order_id=order_id, status="escalated")
    if not _receipt(desk, {"order_id": order_id, "refund_id": refund_id}):
        desk.ask("escalate", order_id=order_id, reason="the books do not show a payment that the bank took")
        return _say(desk, "unbooked", order_id=order_id, status="escalated")
    currency = desk.ask("get_order", order_id=order_id)["currency"]
    words = {"order_id": order_id, "money": f"{amount:.2f} {currency}", "where": where}
    return _say(desk, "paid", status="refunded", amount=amount, **words)


def _receipt(desk: Desk, args: Row) -> bool:
    """Send a receipt; where the books are behind and refuse it, look, then try it again, not the payment."""
    outcomes = desk.of("send_receipt", args)
    if all(outcome.error for outcome in outcomes):
        if len(outcomes) >= TRIES:
            return False
        if outcomes:
            desk.ask("list_refunds", since=outcomes[-1].place, order_id=args["order_id"])
        raise Ask([("send_receipt", args)])
    return True


def _pay_once(desk: Desk, tool: str, args: Row) -> str:
    """Return the refund's id: paid now, or found paid after an answer was lost; "" where it cannot be."""
    outcomes = desk.of(tool, args)
    paid = [outcome.value["refund_id"] for outcome in outcomes if not outcome.error]
    if paid:
        return str(paid[0])
    if outcomes:
        lost = _find_lost(desk, args, outcomes)
        if lost or len(outcomes) >= TRIES or desk.barred(tool, args):
            return lost
    raise Ask([(tool, args)])


def _find_lost(desk: Desk, args: Row, outcomes: list[Outcome]) -> str:
    """Look, before anything is paid again, whether a payment without an answer was made after all."""
    place = outcomes[-1].place
    refunds = desk.ask("list_refunds", since=place, order_id=args["order_id"])["refunds"]
    mine = [row for row in refunds if row["made_by"] == "agent"]
    made = [row["id"] for row in mine if abs(row["amount"] - args["amount"]) < 0.005]
    return str(desk.ask("confirm_refund", refund_id=made[-1])["refund_id"]) if made else ""


def _decline(desk: Desk, order_id: str, reason: str) -> Row:
    """Record a refusal where the customer finds it; a supervisor gets what the desk may not decide."""
    desk.ask("record_decision", order_id=order_id, decision="decline", reason=reason)
    desk.ask("decline_request", order_id=order_id, reason=reason)
    if reason in {"over_limit", "account_hold"}:
        desk.ask("escalate", order_id=order_id, reason=reason)
        return _say(desk, reason, order_id=order_id, status="escalated")
    return _say(desk, reason, order_id=order_id, status="declined")


# ------------------------------------------------------------------------------------------ wording

GREETINGS = (
    ("Thank you for writing.", "Hello, and thank you.", "Good day."),
    ("您好！", "您好，感谢您的来信。", "谢谢您联系我们。"),
)
METHODS = {"card": "银行卡", "wallet": "电子钱包", "account": "付款账户"}
PHRASES = {
    "who": (
        "I cannot find your account. Which e-mail address or full name is it under?",
        "我没有找到您的账户。请告诉我您注册时使用的电子邮箱或者完整的姓名，我马上为您继续查询处理。",
    ),
    "which": (
        "Several accounts have that name. What is your e-mail address, and how does your phone number end?",
        "有不止一位顾客使用这个姓名。请您提供注册的电子邮箱以及手机的最后四位数字，方便我确认账户。",
    ),
    "proof": (
        "Before I open an order I have to know that it is you: what are the last four digits of your phone?",
        "在打开订单之前，我需要先确认是您本人。请您提供注册手机的最后四位数字，确认之后我会马上处理。",
    ),
    "paid": (
        "{money} for order {order_id} is on its way back to your {where}; the receipt is in your mail.",
        "订单{order_id}的退款{money}已经原路退回到您的{where}，收据也已经发送到您的邮箱，请您注意查收并妥善保存。",
    ),
    "unpaid": (
        "The payment for order {order_id} did not go through; a supervisor will take it from here.",
        "订单{order_id}的退款暂时没有成功支付，我已经把您的请求转交给主管继续跟进处理，有了结果会马上通知您。",
    ),
    "unbooked": (
        "The bank took the payment for {order_id}, but our books do not show it yet; a supervisor will look.",
        "订单{order_id}的退款银行已经受理，但是我们的账目里还没有显示，我已经转交给主管继续跟进，有了结果会马上通知您。",
    ),
    "stuck": (
        "Our system does not answer at the moment, so nothing was changed. Please write again later.",
        "我们的系统目前没有响应，因此您的订单没有任何改动。非常抱歉给您带来不便，请您稍后再联系我们处理。",
    ),
    "identity_unverified": (
        "I could not confirm that the account is yours, so I may neither open nor pay back order {order_id}.",
        "很抱歉，我没有能够确认您就是账户的本人，因此不能打开订单{order_id}，也不能办理退款，请您谅解并核对资料。",
    ),
    "not_owner": (
        "Order {order_id} belongs to another account; only its owner can ask for the money.",
        "很抱歉，订单{order_id}属于另外一个账户，按照规定只有下单的本人才能申请退款，请您让下单的顾客联系我们。",
    ),
    "account_hold": (
        "Your account is on hold, so I may not pay order {order_id} back; a supervisor will look at it.",
        "很抱歉，您的账户目前处于冻结状态，订单{order_id}我不能自行退款，已经转交给主管审核，请您耐心等待结果。",
    ),
    "not_delivered": (
        "Order {order_id} has not reached you yet; we can talk about money back once it has.",
        "订单{order_id}还在运输途中，目前不能办理退款。等您收到商品之后，如果仍然需要退款，请您再次联系我们处理。",
    ),
    "already_refunded": (
        "What you ask for in order {order_id} was paid back before, so there is nothing left to pay.",
        "您申请的订单{order_id}中的商品，之前已经退过款了，因此没有剩余的金额可以再退，请您核对一下账户的记录。",
    ),
    "not_returnable": (
        "I am sorry: the goods in order {order_id} are of a kind that we do not take back.",
        "很抱歉，订单{order_id}里的这件商品属于不支持退货的类别，按照店铺的政策不能办理退款，感谢您的理解与支持。",
    ),
    "window_closed": (
        "I am sorry: the time in which order {order_id} could come back is over.",
        "很抱歉，订单{order_id}已经超过了可以退货的时间，按照店铺的政策不能再办理退款，感谢您的理解与支持。",
    ),
    "over_limit": (
        "What you ask for in order {order_id} is more than I may pay back; a supervisor will decide.",
        "很抱歉，订单{order_id}的退款金额超过了我的权限，我已经把这个请求转交给主管来决定，有了结果会马上通知您。",
    ),
}


def _say(
    desk: Desk, what: str, *, status: str = "question", amount: float | None = None, **words: str
) -> Row:
    """Return a reply in the user's language: status, amount where money moved, and the text."""
    if desk.chinese and "where" in words:
        words["where"] = METHODS[words["where"]]
    greeting = desk.rng.choice(GREETINGS[desk.chinese])
    text = PHRASES[what][desk.chinese].format(**words)
    paid = {} if amount is None else {"amount": amount}
    return {"status": status, **paid, "text": f"{greeting}{'' if desk.chinese else ' '}{text}"}

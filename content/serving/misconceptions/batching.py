"""Mistakes with schedulers."""

from studyattn.grading.misconception import Misconception

from ..reference.batching import Chunks, Scheduler

BATCH, CHUNK = "continuous-batching", "chunked-prefill"
JOIN = r"\text{running} < \text{slots}, \quad \sum (p_i + g_i) \le \text{capacity}"
LAST = r"\text{last} \ge \text{first} + g - 1"
BUDGET = r"\text{decoding} + \text{reading} \le \text{budget}"


class _Static(Scheduler):
    def admitted(self, waiting, running):
        return [] if running else super().admitted(waiting, running)


class _Overtaking(Scheduler):
    def admitted(self, waiting, running):
        joined = []
        for each in self.order(waiting):
            if self.fits(each, running + joined):
                joined.append(each)
        return joined


class _OnePerStep(Scheduler):
    def admitted(self, waiting, running):
        return super().admitted(waiting, running)[:1]


class _ByNumber(Scheduler):
    def order(self, requests):
        return sorted(requests)


class _ShortestFirst(Scheduler):
    def order(self, requests):
        return sorted(requests, key=lambda each: (self.outputs[each], self.arrivals[each], each))


class _SmallestFirst(Scheduler):
    def order(self, requests):
        return sorted(requests, key=lambda each: (self.prompts[each], self.arrivals[each], each))


class _LatestFirst(Scheduler):
    def order(self, requests):
        return sorted(requests, key=lambda each: (-self.arrivals[each], each))


class _PromptOnly(Scheduler):
    def room(self, request):
        return self.prompts[request]


class _OutputOnly(Scheduler):
    def room(self, request):
        return self.outputs[request]


class _AnyRoom(Scheduler):
    def fits(self, _, running):
        return len(running) < self.slots


class _AnyNumber(Scheduler):
    def fits(self, request, running):
        return sum(map(self.room, running)) + self.room(request) <= self.capacity


class _NotQuite(Scheduler):
    def fits(self, request, running):
        used = sum(map(self.room, running))
        return len(running) < self.slots and used + self.room(request) < self.capacity


class _AlreadyFull(Scheduler):
    """The room is compared without the request that joins."""

    def fits(self, _, running):
        used = sum(map(self.room, running))
        return len(running) < self.slots and used < self.capacity


class _PrefillAlone(Scheduler):
    def writing(self, running, joined):
        return [each for each in running if each not in joined]


class _PrefillStops(Scheduler):
    def writing(self, running, joined):
        return joined or running


class _PrefillTakesAll(Scheduler):
    """In a step with a prefill, nobody gets a token, and the prefill gives none."""

    def writing(self, running, joined):
        return [] if joined else running


class _OneStepLong(Scheduler):
    """A slot stays taken for a step after the last token."""

    def __init__(self, *given):
        super().__init__(*given)
        self._before = []

    def fits(self, request, running):
        gone = [each for each in self._ended if each not in running]
        return super().fits(request, running + gone)

    def admitted(self, waiting, running):
        self._ended = [each for each in self._before if each not in running]
        joined = super().admitted(waiting, running)
        self._before = running + joined
        return joined


def _scheduled(name, title, formula, *classes):
    return Misconception(
        id=name,
        title=title,
        formula=formula,
        concept=BATCH,
        ways=tuple(
            {"schedule": lambda *given, of=each, **named: of(*given, **named).run()}
            for each in classes
        ),
    )


OF_SCHEDULES = (
    _scheduled(
        "batch-static",
        "New requests wait until all that run have ended; each should join when there is room.",
        JOIN,
        _Static,
    ),
    _scheduled(
        "batch-overtaken",
        "A later request is admitted before an earlier one that does not fit yet.",
        JOIN,
        _Overtaking,
    ),
    _scheduled(
        "batch-order",
        "Requests should be admitted in the order in which they arrived.",
        r"\text{first come, first served}",
        _ByNumber,
        _ShortestFirst,
        _SmallestFirst,
        _LatestFirst,
    ),
    _scheduled(
        "batch-one-per-step",
        "Only one request joins per step; all should that fit.",
        JOIN,
        _OnePerStep,
    ),
    _scheduled(
        "batch-room-of-prompt",
        "Room is reserved for prompt or answer alone; a sequence grows to both together.",
        JOIN,
        _PromptOnly,
        _OutputOnly,
    ),
    _scheduled(
        "batch-room-ignored",
        "More is admitted than the capacity, or than there are slots.",
        JOIN,
        _AnyRoom,
        _AnyNumber,
        _AlreadyFull,
    ),
    _scheduled(
        "batch-room-not-filled",
        "The capacity may be used up to the last token.",
        JOIN,
        _NotQuite,
    ),
    _scheduled(
        "batch-prefill-without-token",
        "The step in which a request joins should give its first token.",
        LAST,
        _PrefillAlone,
        _PrefillTakesAll,
    ),
    _scheduled(
        "batch-prefill-stops-others",
        "While new requests join, the others get no token; all that run should get one.",
        LAST,
        _PrefillStops,
    ),
    _scheduled(
        "batch-slot-kept",
        "A request keeps its room for a step after its last token.",
        LAST,
        _OneStepLong,
    ),
)


class _ReadingFirst(Chunks):
    def step(self):
        read = self.reading(self.budget)
        spare = self.budget - sum(read)
        decoded = []
        for each in self.decoding():
            decoded.append(min(each, spare))
            spare -= decoded[-1]
        self.done(decoded, read)
        return [a + b for a, b in zip(decoded, read, strict=True)]


class _Whole(Chunks):
    """A prompt is read only if all of it fits, or fills a step alone."""

    def reading(self, spare):
        parts = []
        for rest in self.left:
            fits = rest <= spare or (spare == self.budget and not any(parts))
            parts.append(min(rest, spare) if fits else 0)
            spare -= parts[-1]
        return parts


class _OnePrompt(Chunks):
    def reading(self, spare):
        first = next((i for i, rest in enumerate(self.left) if rest), None)
        return [min(rest, spare) if i == first else 0 for i, rest in enumerate(self.left)]


class _Evenly(Chunks):
    def reading(self, spare):
        count = sum(rest > 0 for rest in self.left)
        return [min(rest, max(1, spare // count)) if rest else 0 for rest in self.left]


class _NotCounted(Chunks):
    def step(self):
        decoded = self.decoding()
        read = self.reading(self.budget)
        self.done(decoded, read)
        return [a + b for a, b in zip(decoded, read, strict=True)]


class _OneTooMany(Chunks):
    def __init__(self, prompts, outputs, budget):
        super().__init__(prompts, outputs, budget)
        self.tokens = [each + 1 for each in self.tokens]


class _AtOnce(Chunks):
    """A request decodes in the step in which its prompt ends."""

    def step(self):
        before = self.decoding()
        read = self.reading(self.budget - sum(before))
        self.done([0] * len(read), read)
        decoded = self.decoding()
        self.done(decoded, [0] * len(read))
        return [a + b for a, b in zip(decoded, read, strict=True)]


class _NoneMixed(Chunks):
    """Prompts are read in steps of their own."""

    def step(self):
        read = self.reading(self.budget)
        decoded = [0] * len(read) if any(read) else self.decoding()
        self.done(decoded, read)
        return [a + b for a, b in zip(decoded, read, strict=True)]


class _ReadWhenIdle(Chunks):
    """Prompts are read only while nobody decodes."""

    def reading(self, spare):
        return super().reading(spare if spare == self.budget else 0)


def _chunked(name, title, formula, *classes):
    return Misconception(
        id=name,
        title=title,
        formula=formula,
        concept=CHUNK,
        ways=tuple(
            {"chunked_steps": lambda *given, of=each, **named: of(*given, **named).run()}
            for each in classes
        ),
    )


OF_CHUNKS = (
    _chunked(
        "chunk-reads-first",
        "Prompts take the budget first, so requests that decode have to wait.",
        BUDGET,
        _ReadingFirst,
    ),
    _chunked(
        "chunk-not-mixed",
        "Reading and decoding take turns; a step should do both.",
        BUDGET,
        _NoneMixed,
        _ReadWhenIdle,
    ),
    _chunked(
        "chunk-whole-prompts",
        "A prompt that does not fit waits; as much of it as fits should be read.",
        BUDGET,
        _Whole,
    ),
    _chunked(
        "chunk-one-prompt",
        "What a prompt leaves of the budget should go to the next one.",
        BUDGET,
        _OnePrompt,
    ),
    _chunked(
        "chunk-evenly",
        "The budget is divided among the prompts; the first should get what it can use.",
        BUDGET,
        _Evenly,
    ),
    _chunked(
        "chunk-decoding-not-counted",
        "The tokens of requests that decode are part of the budget.",
        BUDGET,
        _NotCounted,
    ),
    _chunked(
        "chunk-one-too-many",
        "The last part of a prompt gives the first new token: g tokens take g − 1 further steps.",
        r"g - 1 \text{ decoding steps}",
        _OneTooMany,
    ),
    _chunked(
        "chunk-decodes-at-once",
        "A request decodes in the step that ends its prompt; its token is not known before.",
        r"g - 1 \text{ decoding steps}",
        _AtOnce,
    ),
)

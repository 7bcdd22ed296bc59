#!/usr/bin/env python3
"""Computes the percentiles, counts and rates of published results from their raw files, and compares the figures.

It shares no code with Weir and uses only Python's standard library. It decodes the HdrHistogram log itself: base64,
zlib, and the encoding V2 of HdrHistogram. Usage: verify.py FOLDER...
"""
import base64
import csv
import hashlib
import json
import math
import pathlib
import re
import struct
import sys
import zlib

UNIT_BITS, HALF_BITS = 9, 10  # a resolution of 1000 ns, and three digits
PERCENTILES = {"p50": 50, "p90": 90, "p99": 99, "p99.9": 99.9, "p99.99": 99.99}
WINDOWS = {"P50": 50, "P99": 99, "P999": 99.9}
COUNTS = ["due", "unsent", "sent", "acked", "failed", "aborted", "unresolved", "received"]
KINDS = ["response", "service", "backpressure", "late", "blocked", "e2e", "processed", "pause", "failure"]
RATES = {"acked/s": "ackedPerSecond", "received/s": "receivedPerSecond"}
LOSSES = ["lost", "duplicated", "reordered", "failed", "unresolved", "unsent"]
ENOUGH = 4  # trials of each variant for a verdict
OPERATIONS = ["begin", "send", "offsets", "commit", "transaction", "abort", "fetch"]


def decode(text):
    """Returns the counts of a histogram by index."""
    packed = base64.b64decode(text)
    payload = zlib.decompress(packed[8 : 8 + struct.unpack(">i", packed[4:8])[0]])
    cookie, length, _, digits, lowest = struct.unpack(">iiiiq", payload[:24])
    assert cookie & ~0xF0 == 0x1C849303 and digits == 3 and lowest.bit_length() - 1 == UNIT_BITS, "another histogram"
    counts, at, index, end = {}, 40, 0, 40 + length
    while at < end:
        value, shift = 0, 0
        while True:
            byte = payload[at]
            at += 1
            if shift == 56:
                value |= byte << shift
                break
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        value = (value >> 1) ^ -(value & 1)
        if value < 0:
            index -= value
        else:
            if value:
                counts[index] = value
            index += 1
    return counts


def bucket(index):
    """Returns the lowest value of a bucket, and the size of the bucket."""
    power, sub = (index >> HALF_BITS) - 1, (index & (1 << HALF_BITS) - 1) + (1 << HALF_BITS)
    if power < 0:
        power, sub = 0, sub - (1 << HALF_BITS)
    return sub << power + UNIT_BITS, 1 << power + UNIT_BITS


class Latency:
    def __init__(self):
        self.counts, self.longest, self.unended, self.lowest = {}, 0, 0, None

    def add(self, counts, longest):
        for index, count in counts.items():
            self.counts[index] = self.counts.get(index, 0) + count
        self.longest = max(self.longest, min(longest, sum(bucket(max(counts))) - 1))

    @property
    def count(self):
        return sum(self.counts.values())

    def percentile(self, percentile):
        rank = max(1, math.ceil(math.nextafter(percentile, -math.inf) * self.count / 100)) if percentile > 0 else 1
        passed = 0
        for index in sorted(self.counts):
            passed += self.counts[index]
            if passed >= rank:
                lowest, size = bucket(index)
                return min(lowest if percentile == 0 else lowest + size - 1, self.longest) / 1e6

    def mean(self):
        total = sum((bucket(index)[0] + bucket(index)[1] // 2) * count for index, count in self.counts.items())
        return min(total / self.count, self.longest) / 1e6

    def at_least_beyond(self):
        if not self.unended:
            return None
        below = sum(count for index, count in self.counts.items() if sum(bucket(index)) <= self.lowest)
        return 100 * below / self.count


def latencies(file, key):
    """Adds up the histograms of a log by a key, which is a function of metric, step and second."""
    result = {}
    for line in file.read_text().splitlines():
        if line.startswith("Tag="):
            tag, second, _, longest, packed = line[4:].split(",", 4)
            metric, step = re.match(r"(\w+)@(\d+)", tag).groups()
            latency = result.setdefault(key(metric, int(step), float(second)), Latency())
            latency.add(decode(packed), round(float(longest) * 1e6))
        elif line.startswith("#[Unended: "):
            tag, second, count, lowest = line[len("#[Unended: ") : -1].split(",")
            metric, step = re.match(r"(\w+)@(\d+)", tag).groups()
            latency = result.setdefault(key(metric, int(step), float(second)), Latency())
            latency.unended += int(count)
            latency.lowest = min(int(lowest), latency.lowest or int(lowest))
    return result


class Check:
    def __init__(self, folder):
        self.folder, self.compared, self.wrong = folder, 0, []

    def same(self, where, found, expected, slack=0.0):
        self.compared += 1
        numbers = all(isinstance(each, (int, float)) for each in (found, expected))
        close = numbers and abs(found - expected) <= slack + 1e-9 * abs(expected)
        if not (close or found == expected):
            self.wrong.append(f"{self.folder}/{where}: found {found}, expected {expected}")

    def sums(self):
        sums = (self.folder / "SHA256SUMS").read_bytes()
        for line in sums.decode().splitlines():
            digest, name = line.split("  ", 1)
            found = hashlib.sha256((self.folder / name).read_bytes()).hexdigest()
            if found != digest:
                self.wrong.append(f"{self.folder}/{name}: found SHA-256 {found}, expected {digest}")
        if hashlib.sha256(sums).hexdigest() not in (self.folder / "RESULT.md").read_text():
            self.wrong.append(f"{self.folder}/RESULT.md: has no checksum of SHA256SUMS")

    def latency(self, where, found, latency):
        self.same(f"{where} count", found["count"], latency.count)
        for name, percentile in PERCENTILES.items():
            self.same(f"{where} {name}", found[name], latency.percentile(percentile))
        self.same(f"{where} max", found["max"], latency.longest / 1e6)
        self.same(f"{where} mean", found["mean"], latency.mean())
        self.same(f"{where} atLeastBeyond", found["atLeastBeyond"], latency.at_least_beyond())

    def figures(self, where, found, times, sums, kinds, plan, ledger):
        """Compares the figures of a trial, or of one of its steps."""
        begin, seconds = times
        for name, of in [(kind, found) for kind in KINDS] + [(kind, found.get("operations", {})) for kind in OPERATIONS]:
            if name in kinds and kinds[name].count and of.get(name, {"count": 0})["count"]:
                self.latency(f"{where} {name}", of[name], kinds[name])
        for name, count in (ledger or {"counts": {}})["counts"].items():
            self.same(f"{where} {name} of the ledger", found[name], count)
        # A backlog was due before the measurement, and only the ledger has records that are read for the check.
        known = {"deliver": COUNTS, "consume": []}.get(plan["workload"], COUNTS[:-1])
        for name in known if ledger else []:
            if found[name] is not None:
                self.same(f"{where} {name}", found[name], sums[name])
        if seconds <= 0:
            return
        offered, acked, received = sums["due"] / seconds, sums["ackedDuring"] / seconds, sums["receivedDuring"] / seconds
        values = (sums["bytesAckedDuring"] or sums["bytesReceivedDuring"]) / 2**20 / seconds
        until = sums["endedNanos"] / 1e9 - begin
        if found["offeredPerSecond"] is not None and offered < plan["countedPerSecond"] and until > 0:
            offered = plan["countedPerSecond"]
            received = sums["received"] / until
            if found["ackedPerSecond"] is not None:
                acked, values = sums["acked"] / until, sums["bytesAcked"] / 2**20 / until
        rates = dict(offeredPerSecond=offered, ackedPerSecond=acked, receivedPerSecond=received, mebibytesPerSecond=values)
        for name, expected in rates.items():
            if found[name] is not None:
                self.same(f"{where} {name}", found[name], expected)
        if found.get("operations"):
            operations = found["operations"]
            self.same(f"{where} operations", operations["count"], sums["operations"])
            self.same(f"{where} operations/s", operations["perSecond"], sums["operationsDuring"] / seconds)

    def trial(self, trial):
        name = trial.relative_to(self.folder)
        result, plan = json.loads((trial / "trial.json").read_text()), json.loads((trial / "started.json").read_text())["plan"]
        measured = json.loads((trial / "end.json").read_text())["measured"]
        with open(trial / "counts.csv", newline="") as file:
            rows = [{key: value for key, value in row.items()} for row in csv.DictReader(file)]
        steps = {}
        for row in rows:
            of = steps.setdefault(int(row["step"].split("+")[0]), {})
            for key, value in row.items():
                if key not in ("second", "step"):
                    of[key] = max(of.get(key, 0), int(value)) if key == "endedNanos" else of.get(key, 0) + int(value)
        none = {key: 0 for key in rows[0]} if rows else {}
        whole = dict(none)
        for step, of in steps.items():
            if step >= 2:
                for key, value in of.items():
                    whole[key] = max(whole[key], value) if key == "endedNanos" else whole[key] + value
        log = trial / "latency.hlog"
        seconds = sum(step["seconds"] for step in measured["steps"])
        kinds = latencies(log, lambda metric, step, second: metric if step >= 2 else "")
        times = (measured["from"], seconds)
        self.figures(f"{name}/trial.json:", result, times, whole, kinds, plan, measured["balance"])
        self.same(f"{name}/trial.json: seconds", result["seconds"], seconds)
        by_step = latencies(log, lambda metric, step, second: (step, metric))
        for found, step in zip(result["steps"], measured["steps"]):
            kinds = {metric: latency for (number, metric), latency in by_step.items() if number == step["step"]}
            times, of = (step["from"], step["seconds"]), steps.get(step["step"], none)
            where = f"{name}/trial.json: step {step['step']}"
            self.figures(where, found, times, of, kinds, plan, step["balance"])
        with open(trial / "spectrum.csv", newline="") as file:
            for row in csv.DictReader(file):
                metric, step = row["latency"].split("@")
                where, percentile = f"{name}/spectrum.csv: {row['latency']} {row['percentile']}", float(row["percentile"])
                # The file rounds percentiles to six decimal places, so the value may be that of a neighbour.
                of = by_step[int(step), metric]
                near = [of.percentile(min(100, max(0, percentile + d))) for d in (0, -5e-7, 5e-7)]
                found = float(row["milliseconds"])
                self.same(where, found, min(near, key=lambda value: abs(value - found)), 5.1e-7)
        windows = latencies(log, lambda metric, step, second: (second, metric))
        with open(trial / "windows.csv", newline="") as file:
            for row in csv.DictReader(file):
                for kind in KINDS[:6]:
                    of = windows.get((float(row["second"]), kind))
                    for word, percentile in WINDOWS.items() if of else ():
                        where = f"{name}/windows.csv: second {row['second']} {kind}{word}"
                        self.same(where, float(row[kind + word]), of.percentile(percentile), 5.1e-7)
                of = [each for each in rows if float(each["second"]) == float(row["second"])]
                for count in ("due", "sent", "acked", "failed", "received", "bytesAcked", "bytesReceived"):
                    self.same(f"{name}/windows.csv: second {row['second']} {count}", int(row[count]), sum(int(each[count]) for each in of))
        return result

    def conclusion(self, results):
        """Compares the trials of the conclusion, and its comparisons."""
        found = json.loads((self.folder / "conclusion.json").read_text())
        for trial in found["trials"]:
            own = results.get(trial["trial"])
            self.same(f"conclusion.json: trial {trial['trial']}", own == trial, True)
        pairs = {}
        for one in found["comparisons"]:
            if one["metric"] not in LOSSES and one["to"] is None:
                pairs.setdefault((one["a"], one["b"]), []).append(one)
        for (a, b), metrics in pairs.items():
            sides = [[trial for trial in found["trials"] if trial["variant"] == name] for name in (a, b)]
            self.pair(f"conclusion.json: {a} / {b}", metrics, *sides)

    def pair(self, where, metrics, a, b):
        """Compares the means, the ratio, the interval and the verdict of each metric of two variants."""
        values = [[[value(trial, one["metric"]) for trial in side] for side in (a, b)] for one in metrics]
        tests = [Welch(*each) if all(of is not None and of > 0 for of in each[0] + each[1]) else None for each in values]
        enough = min(len(a), len(b)) >= ENOUGH
        known = not enough or None not in tests
        levels = holm_after_first([test.p for test in tests]) if enough and known else [0.05] * len(metrics)
        for one, test, level in zip(metrics, tests, levels):
            if test is None:
                continue
            for side, mean in (("A", test.a), ("B", test.b)):
                self.same(f"{where} {one['metric']} {side}", one["figureOf" + side], mean)
            bounds = one["atLeast"]
            if len(set(bounds)) == 2:
                continue
            self.same(f"{where} {one['metric']} ratio", one["ratio"], test.ratio)
            if not known:
                continue
            low, high = test.interval(level)
            self.same(f"{where} {one['metric']} low", one["low"], None if one["b"] in bounds else low, 1e-7 * test.ratio)
            self.same(f"{where} {one['metric']} high", one["high"], None if one["a"] in bounds else high, 1e-7 * test.ratio)
            better = (test.ratio > 1) == one["metric"].endswith("/s")
            smaller = one["a"] if test.ratio < 1 else one["b"]
            judged = enough and test.p is not None and smaller not in bounds
            verdict = ("better" if better else "worse") if judged and test.p <= level else "not distinguishable"
            self.same(f"{where} {one['metric']} verdict", one["verdict"], verdict if judged else "no verdict")


class Welch:
    """Welch's t-test on the logarithms of two lists of positive values."""

    def __init__(self, a, b):
        x, y = [math.log(each / b[0]) for each in a], [math.log(each / b[0]) for each in b]
        self.difference = sum(x) / len(x) - sum(y) / len(y)
        self.ratio, self.a, self.b = math.exp(self.difference), geometric_mean(a), geometric_mean(b)
        self.p = self.error = None
        if min(len(x), len(y)) >= 2:
            vx, vy = variance(x) / len(x), variance(y) / len(y)
            self.error = math.sqrt(vx + vy)
            if self.error == 0:
                self.p = 1 if self.difference == 0 else 0
            else:
                self.degrees = (vx + vy) ** 2 / (vx**2 / (len(x) - 1) + vy**2 / (len(y) - 1))
                self.p = two_sided_p(abs(self.difference) / self.error, self.degrees)

    def interval(self, level):
        if self.p is None:
            return None, None
        if self.error == 0:
            return self.ratio, self.ratio
        low, high = 0.0, 1.0
        while two_sided_p(high, self.degrees) > level:
            high *= 2
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if two_sided_p(middle, self.degrees) > level else (low, middle)
        return math.exp(self.difference - high * self.error), math.exp(self.difference + high * self.error)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def variance(values):
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def two_sided_p(t, degrees):
    """The probability that Student's t is farther from 0 than t: the regularized incomplete beta function."""
    x, a, b = degrees / (degrees + t * t), degrees / 2, 0.5
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_fraction(1 - x, b, a)
    return beta_fraction(x, a, b)


def beta_fraction(x, a, b):
    """The continued fraction of the incomplete beta function, by Lentz's method (NIST DLMF 8.17.22)."""
    if x == 0:
        return 0.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    f, c, d = 1.0, 1.0, 0.0
    for i in range(1000):
        m = i // 2
        if i == 0:
            factor = 1.0
        elif i % 2 == 0:
            factor = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            factor = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + factor * d)
        c = 1 + factor / c
        f *= c * d
        if abs(1 - c * d) < 1e-15:
            break
    return front * (f - 1)


def holm_after_first(ps):
    """The level of each figure: 5 % for the first; Holm's method for the others, with 5 % or 1 % together."""
    level = 0.05 if ps[0] <= 0.05 else 0.01
    levels, passed = [0.05] + [0.0] * (len(ps) - 1), 0
    for rank, i in enumerate(sorted(range(1, len(ps)), key=lambda i: ps[i])):
        levels[i] = level / (len(ps) - 1 - passed)
        passed += passed == rank and ps[i] <= levels[i]
    return levels


def value(trial, metric):
    """Returns the figure of a trial for a metric such as response p99 or acked/s; None for other metrics."""
    if metric in RATES:
        return trial[RATES[metric]]
    kind, _, percentile = metric.partition(" ")
    percentile, _, during = percentile.partition(" during ")
    if during:
        return None
    of = trial.get(kind) or trial.get("operations", {}).get(kind)
    return of[percentile] if isinstance(of, dict) and percentile in of else None


def main(folders):
    compared, wrong = 0, 0
    for folder in map(pathlib.Path, folders):
        check = Check(folder)
        check.sums()
        results = {}
        for place in ("trials", "search", "profile"):
            for file in sorted(folder.glob(place + "/*/trial.json")):
                result = check.trial(file.parent)
                if place == "trials":
                    results[result["trial"]] = result
        check.conclusion(results)
        for line in check.wrong[:10]:
            print(line)
        print(f"{folder}: {check.compared} figures compared, {len(check.wrong)} differ")
        compared, wrong = compared + check.compared, wrong + len(check.wrong)
    print(f"{compared} figures compared, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

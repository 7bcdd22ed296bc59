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
        close = found is not None and expected is not None and abs(found - expected) <= slack + 1e-9 * abs(expected)
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
        """Compares the trials of the conclusion, and the means and ratios of its comparisons."""
        found = json.loads((self.folder / "conclusion.json").read_text())
        for trial in found["trials"]:
            own = results.get(trial["trial"])
            self.same(f"conclusion.json: trial {trial['trial']}", own == trial, True)
        for one in found["comparisons"]:
            means = {}
            for side in ("a", "b"):
                values = [value(trial, one["metric"]) for trial in found["trials"] if trial["variant"] == one[side]]
                if values and all(each is not None and each > 0 for each in values):
                    means[side] = math.exp(sum(map(math.log, values)) / len(values))
            where = f"conclusion.json: {one['a']} / {one['b']} {one['metric']}"
            for side in means:
                figure = one["figureOf" + side.upper()]
                if figure is not None:
                    self.same(f"{where} {side}", figure, means[side])
            if len(means) == 2 and one["ratio"] is not None and one["to"] is None:
                self.same(f"{where} ratio", one["ratio"], means["a"] / means["b"])


def value(trial, metric):
    """Returns the figure of a trial for metrics such as response p99; None for other metrics."""
    kind, _, percentile = metric.partition(" ")
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

import { formatCount, formatDollars, formatElapsed } from "../../text/figures.ts";

/** `3 min ago`, `2 h ago`, `5 d ago`, and a date for what is older. */
export function ago(iso: string, nowMs: number): string {
  const seconds = Math.round((nowMs - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return iso;
  if (seconds < 0) return localTime(iso);
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  if (seconds < 14 * 86_400) return `${Math.floor(seconds / 86_400)} d ago`;
  return localTime(iso).slice(0, 10);
}

/** `3 min`, `2 h 5 min`, `5 d`: how long something has been going on. */
export function span(sinceIso: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(sinceIso)) / 60_000);
  if (Number.isNaN(minutes) || minutes < 0) return "";
  if (minutes < 1) return "just begun";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / (24 * 60))} d`;
}

/** `2026-11-15 10:32`, in the time zone of the machine. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** `10:32:05`, in the time zone of the machine. */
export function clockTime(time: string | number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

export function duration(ms: number | null): string {
  return ms === null ? "-" : formatElapsed(ms);
}

export function number(value: number | null): string {
  return value === null ? "-" : formatCount(value);
}

export function dollars(value: number | null): string {
  return value === null ? "-" : formatDollars(value);
}

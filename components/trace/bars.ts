import type { CSSProperties } from 'react'
import type { PillState } from '@/components/ui/state-pill'
import type { Bar } from '@/lib/protocol/run/run-timeline'

// Bars in the pictures of a run and of a coordination, on an axis whose length is the custom property --total.

/** The colour of work, by how it stands. */
export const tones: Record<PillState, string> = {
  running: 'bg-running',
  ok: 'bg-ok',
  warning: 'bg-warning',
  error: 'bg-error',
  denied: 'bg-error',
  waiting: 'bg-waiting',
  off: 'bg-off',
}

/** The parts of a bar that look different: time before the first token, tries that failed, time that waited. */
export const ownTones: Partial<Record<Bar['kind'], string>> = {
  'first-token': 'bg-running/40',
  request: 'bg-running/60',
  failed: 'bg-error',
  waiting: 'bg-[repeating-linear-gradient(135deg,var(--color-waiting)_0_2px,transparent_2px_5px)]',
}

/** Cuts out the part of a line that a bar covers, at least 3 pixels: cutting moves nothing, whatever the axis becomes. */
export function clipOf({ left, right }: Pick<Bar, 'left' | 'right'>): string {
  const rest = (place: number | null) =>
    place === null ? '0%' : `(1 - ${place.toFixed(1)} / var(--total)) * 100%`
  const from = left.toFixed(1)
  return `inset(0 min(${rest(right)}, ${rest(left)} - 3px) 0 calc(${from} / var(--total) * 100%))`
}

/** Returns custom properties as a style, whose type does not know them. */
export function vars(values: Record<string, number>): CSSProperties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${name}`, value]))
}

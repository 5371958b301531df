import { describe, expect, it } from 'vitest'
import { openPace } from './use-run-events'

/** Plays a page where showing news takes so long each time, for so many milliseconds. Returns when it showed them. */
function playPage(costMs: number, newsEveryMs: number, forMs: number): number[] {
  let now = 0
  let order = 0
  let timers: { at: number; order: number; then: () => void }[] = []
  const after = (ms: number, then: () => void) => {
    const timer = { at: now + ms, order: order++, then }
    timers.push(timer)
    return () => {
      timers = timers.filter((other) => other !== timer)
    }
  }
  const nextFrame = openPace({ now: () => now, after, frame: (then) => after(16, then) })
  const shown: number[] = []
  let waits = false
  const arrive = () => {
    after(newsEveryMs, arrive)
    if (waits) return
    waits = true
    nextFrame(() => {
      waits = false
      shown.push(now)
      now += costMs
    })
  }
  arrive()
  while (now < forMs) {
    const [next] = timers.toSorted((a, b) => a.at - b.at || a.order - b.order)
    if (!next) break
    timers = timers.filter((other) => other !== next)
    now = Math.max(now, next.at)
    next.then()
  }
  return shown
}

describe('the pace of a page', () => {
  it('shows the first news in the next frame', () => {
    expect(playPage(5, 40, 1_000)[0]).toBe(16)
  })

  for (const costMs of [1, 5, 20, 60]) {
    it(`leaves a page most of its time when news take ${costMs} ms to show`, () => {
      const shown = playPage(costMs, 5, 20_000)
      expect((shown.length * costMs) / 20_000).toBeLessThan(0.2)
      expect(shown.length).toBeGreaterThan(30)
    })
  }

  it('never rests long, however long showing took', () => {
    const shown = playPage(400, 5, 20_000)
    const gaps = shown.slice(1).map((at, index) => at - (shown[index] ?? 0))
    expect(Math.max(...gaps)).toBeLessThan(1_000)
  })

  it('shows nothing that was called off', () => {
    const timers: (() => void)[] = []
    const after = (_ms: number, then: () => void) => {
      timers.push(then)
      return () => void timers.splice(0)
    }
    const shown: string[] = []
    const nextFrame = openPace({ now: () => 0, after, frame: (then) => after(16, then) })
    nextFrame(() => shown.push('called off'))()
    for (const then of timers.splice(0)) then()
    expect(shown).toEqual([])
  })
})

import { expect, test } from 'vitest'
import { coalesced } from './coalesced'

/** Works until it is told to stop. */
function work() {
  const ends: ((failure?: Error) => void)[] = []
  const ask = coalesced(
    () =>
      new Promise((resolve, reject) => {
        ends.push((failure) => (failure ? reject(failure) : resolve()))
      }),
  )
  return { ends, ask }
}

test('however often it is asked for meanwhile, one more run answers, and begins afterwards', async () => {
  const { ends, ask } = work()
  const first = ask()
  const others = [ask(), ask(), ask()]
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await first
  await expect.poll(() => ends.length).toBe(2)
  const later = ask()
  ends[1]?.()
  await Promise.all(others)
  await expect.poll(() => ends.length).toBe(3)
  ends[2]?.()
  await later
  expect(ends).toHaveLength(3)
})

test('a run that fails fails for those who asked for it, and the next one begins all the same', async () => {
  const { ends, ask } = work()
  const first = ask()
  const second = ask()
  ends[0]?.(new Error('no'))
  await expect(first).rejects.toThrow('no')
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.()
  await second
})

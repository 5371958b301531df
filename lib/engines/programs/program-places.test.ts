import { expect, test } from 'vitest'
import { ProgramPlaces, type WaitReason } from './program-places'

const { signal } = new AbortController()

/** Takes places in their order, and tells which of them were given by now. */
function asking(most: number) {
  const places = new ProgramPlaces(most)
  const log: string[] = []
  const take = (name: string, folder: string | null, until = signal, isAlone = true) =>
    places
      .take({ folder: folder ?? `/srv/${name}`, isAlone }, until, (reason: WaitReason) =>
        log.push(`${name} waits for the ${reason}`),
      )
      .then((back) => {
        log.push(`${name} runs`)
        return back
      })
  return { log, take }
}

test('those beyond the places of the server wait, and begin in their order', async () => {
  const { log, take } = asking(2)
  const [first, second] = [await take('1', null), await take('2', null)]
  const [third, fourth] = [take('3', null), take('4', null)]
  second()
  // Giving a place back twice makes no second one.
  second()
  await third
  expect(log).toEqual([
    '1 runs',
    '2 runs',
    '3 waits for the server',
    '4 waits for the server',
    '3 runs',
  ])
  first()
  await fourth
  expect(log.at(-1)).toBe('4 runs')
})

test('one runs at a time in a workspace, and others do not wait for its line', async () => {
  const { log, take } = asking(2)
  const first = await take('1', '/srv/handbook')
  const second = take('2', '/srv/handbook/chapters')
  await take('3', '/srv/archive')
  first()
  await second
  expect(log).toEqual(['1 runs', '2 waits for the workspace', '3 runs', '2 runs'])
})

test('several run in a folder where none may write, and none beside one that writes below or around it', async () => {
  const { log, take } = asking(3)
  const readers = [
    await take('1', '/srv/handbook', signal, false),
    await take('2', '/srv/handbook/chapters', signal, false),
  ]
  const writer = take('3', '/srv/handbook')
  // One that comes later does not keep the writer waiting.
  const last = take('4', '/srv/handbook/chapters', signal, false)
  for (const back of readers) back()
  const back = await writer
  expect(log.slice(2)).toEqual(['3 waits for the workspace', '4 waits for the workspace', '3 runs'])
  back()
  await last
})

test('a call that is stopped leaves the line, and keeps no place', async () => {
  const { log, take } = asking(1)
  const stop = new AbortController()
  const first = await take('1', null)
  const [second, third] = [take('2', null, stop.signal), take('3', null)]
  stop.abort(new Error('stopped'))
  await expect(second).rejects.toThrow('stopped')
  first()
  const back = await third
  await expect(take('4', null, stop.signal)).rejects.toThrow('stopped')
  back()
  await take('5', null)
  expect(log.at(-1)).toBe('5 runs')
})

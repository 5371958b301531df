import { expect, test } from 'vitest'
import { inLanes } from './in-lanes'

test('everything is done once, and never more at a time than there are lanes', async () => {
  const done: number[] = []
  let [going, most] = [0, 0]
  await inLanes(Array(25).keys(), 4, async (item) => {
    most = Math.max(most, ++going)
    await new Promise((resolve) => setImmediate(resolve))
    going--
    done.push(item)
  })
  expect(most).toBe(4)
  expect(done.toSorted((a, b) => a - b)).toEqual([...Array(25).keys()])
})

test('what fails is not kept', async () => {
  await expect(inLanes([1, 2], 4, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await inLanes([], 4, () => Promise.reject(new Error('no')))
})

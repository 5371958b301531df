import { expect, test } from 'vitest'
import { sleep } from './sleep'

test('wakes when its time is over', async () => {
  await expect(sleep(1, new AbortController().signal)).resolves.toBeUndefined()
})

test('wakes at once when it is aborted, before or during', async () => {
  const controller = new AbortController()
  const sleeping = sleep(2 ** 30, controller.signal)
  controller.abort()
  await expect(sleeping).resolves.toBeUndefined()
  await expect(sleep(2 ** 30, controller.signal)).resolves.toBeUndefined()
})

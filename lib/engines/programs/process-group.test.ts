import { expect, test } from 'vitest'
import { usageOf } from './process-group'

const of = (pid: number, parent: number, group: number) => ({
  pid,
  parent,
  group,
  cpuMs: 10,
  bytes: 100,
})

test('processes that a program started count, also after they left its group, and no others do', () => {
  const all = [
    of(1, 0, 1),
    of(10, 1, 10),
    of(11, 10, 10),
    of(12, 11, 12),
    of(13, 12, 13),
    of(20, 1, 20),
  ]
  expect(usageOf(all, 10)).toEqual({ bytes: 400, cpuMs: 40, processes: 4 })
})

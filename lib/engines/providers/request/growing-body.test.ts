import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBodies } from './growing-body'

const item = fc.string({ maxLength: 30_000 }).map((text) => Buffer.from(JSON.stringify(text)))
const round = fc.record({
  head: fc.string({ maxLength: 3_000 }),
  tail: fc.string({ maxLength: 3_000 }),
  /** Number of items missing at the end of the earlier list, as when a conversation is pruned or marked. */
  dropped: fc.nat({ max: 3 }),
  added: fc.array(item, { maxLength: 4 }),
})

test('bodies of a growing, shrinking or changing conversation are what a fresh copy would be', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { maxLength: 12 }), async (rounds) => {
      const bodies = createBodies()
      const conversations = [{ items: [] as Buffer[] }, { items: [] as Buffer[] }]
      for (const [turn, { head, tail, dropped, added }] of rounds.entries()) {
        const conversation = conversations[turn % 3 === 0 ? 1 : 0]
        if (!conversation) continue
        const kept = conversation.items.slice(0, Math.max(0, conversation.items.length - dropped))
        conversation.items = [...kept, ...added]
        const parts = { head: Buffer.from(head), tail: Buffer.from(tail) }
        const { items } = conversation
        const body = await bodies(conversation, async (make) => make({ ...parts, items }))
        expect(body.toString()).toBe(head + conversation.items.join(',') + tail)
      }
    }),
    { numRuns: 60 },
  )
})

test('copies only what is new, and leaves a body alone while its request is sent', async () => {
  const bodies = createBodies()
  const conversation = {}
  const [head, tail] = [Buffer.from('{"messages":['), Buffer.from(']}')]
  const long = 'a'.repeat(200_000)
  const items = [Buffer.from(`"${long}"`), Buffer.from('"b"')]
  const first = await bodies(conversation, async (make) => make({ head, tail, items }))
  const more = { head, tail, items: [...items, Buffer.from('"c"')] }
  await bodies(conversation, async (make) => {
    const second = make(more)
    expect(second.toString()).toBe(`{"messages":["${long}","b","c"]}`)
    expect(second.buffer).toBe(first.buffer)
    const parts = { head: Buffer.from('['), tail: Buffer.from(']'), items }
    const meanwhile = await bodies(conversation, async (made) => made(parts))
    expect(meanwhile.toString()).toBe(`["${long}","b"]`)
    expect(second.toString()).toBe(`{"messages":["${long}","b","c"]}`)
  })
  await expect(bodies(conversation, () => Promise.reject(new Error('refused')))).rejects.toThrow()
  const again = await bodies(conversation, async (make) => make(more))
  expect(again.buffer).toBe(first.buffer)
})

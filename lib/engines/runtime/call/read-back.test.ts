import { expect, test } from 'vitest'
import { ToolError } from '@/lib/protocol/tool'
import { finish, kept, noteFixture } from '@/tests/support/note-fixture'

test('where the place says what will be there, that is what is compared', async () => {
  const look = { becomes: undefined }
  const fixture = noteFixture({
    look: { ...look, read: async () => ({ now: 'old', becomes: 'NEW' }) },
  })
  const { call, outcome, check } = await finish(fixture)
  expect(call?.approval?.preview).toMatchObject({ before: kept('old'), becomes: kept('NEW') })
  expect(check).toMatchObject({ approved: kept('NEW'), after: kept('old') })
  expect(outcome).toMatchObject({ type: 'failed', code: 'not-as-approved' })
})

test('what only the result of a call names is read back by it', async () => {
  const results: unknown[] = []
  const look = {
    read: async () => null,
    readBack: async (_: unknown, content: unknown) => {
      results.push(content)
      return 'new'
    },
  }
  const { outcome, check } = await finish(noteFixture({ look }))
  expect(results).toEqual(['saved'])
  expect(outcome?.type).toBe('ok')
  expect(check).toMatchObject({ before: { type: 'nothing' }, after: { text: 'new' } })
  const other = await finish(noteFixture({ look: { ...look, readBack: async () => 'other' } }))
  expect(other.outcome).toMatchObject({ type: 'failed', code: 'not-as-approved' })
})

test('without a result, nobody claims that nothing is there', async () => {
  const write = () => {
    throw new ToolError('broken', 'The connection broke.')
  }
  const look = { read: async () => null, readBack: async () => 'new' }
  const { outcome, check } = await finish(noteFixture({ look, write }))
  expect(outcome).toMatchObject({ type: 'failed', code: 'broken' })
  expect(check?.after).toMatchObject({ type: 'unread' })
})

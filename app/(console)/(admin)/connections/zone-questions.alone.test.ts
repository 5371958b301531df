import { expect, test, vi } from 'vitest'
import { emptyDraft } from '@/components/nouns/connection-draft'
import { ZonedAddress } from '@/lib/domains/connections/shape'
import { parseInput } from '@/lib/kernel/parse-input'
import { zoneQuestion } from './zone-questions'

vi.mock('./actions', () => ({
  checkZone: async (input: unknown) => {
    parseInput(ZonedAddress, input)
    return { ok: true, value: 'models.example.org' }
  },
}))

test('asks for the name of a public host before a draft with a private zone is saved', async () => {
  const draft = {
    ...emptyDraft,
    name: 'Models',
    baseUrl: 'https://models.example.org/v1',
    trustZone: 'private' as const,
  }
  expect(await zoneQuestion(draft, null)).toEqual({
    zone: 'private',
    host: 'models.example.org',
    isRezoned: false,
  })
})

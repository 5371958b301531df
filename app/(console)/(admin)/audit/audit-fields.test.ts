import { expect, it } from 'vitest'
import { auditFields } from './audit-fields'

const words = { actions: ['group.update'], objectTypes: ['group'] }
const objectId = '019a0000-0000-7000-8000-0000000000bb'

function field(name: string, object: string | null, id: string | undefined = objectId) {
  const fields = auditFields(words, { objectId: id }, { person: 'ada@example.org', object })
  return fields.find((each) => each.name === name)
}

it('shows whom and what other pages narrowed it to by name, to be taken back', () => {
  expect(field('actorId', null)).toMatchObject({ type: 'person', chosen: 'ada@example.org' })
  expect(field('objectId', 'Editors')).toMatchObject({
    type: 'choice',
    options: [{ value: objectId, label: 'Editors' }],
  })
  expect(field('objectId', null)).toMatchObject({ type: 'search' })
  expect(field('objectId', 'fetch_logs', 'fetch_logs')).toMatchObject({ type: 'search' })
})

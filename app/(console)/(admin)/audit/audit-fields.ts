import type { AuditFilter } from '@toolgate/server/domains/audit/audit-filter'
import type { FilterField } from '@/components/forms/address-filter'
import type { Narrowed } from './read-narrowed'

type Words = { actions: string[]; objectTypes: string[] }

/** Returns the fields of the audit's filter. The object is shown by its name when that is known, and can be removed. */
export function auditFields(
  { actions, objectTypes }: Words,
  { objectId }: Pick<AuditFilter, 'objectId'>,
  { person, object }: Narrowed,
): FilterField[] {
  const options = (values: string[]) => values.map((value) => ({ value, label: value }))
  const known = objectId !== undefined && object !== null && object !== objectId
  return [
    { type: 'search', name: 'actor', label: 'Who (e-mail)' },
    { type: 'person', name: 'actorId', label: 'Person', any: 'Anybody', chosen: person },
    {
      type: 'choice',
      name: 'kind',
      label: 'Kind',
      any: 'Any kind',
      options: [
        { value: 'change', label: 'Changes' },
        { value: 'refusal', label: 'Refusals' },
      ],
    },
    {
      type: 'choice',
      name: 'action',
      label: 'Action',
      any: 'Any action',
      options: options(actions),
    },
    {
      type: 'choice',
      name: 'objectType',
      label: 'Object',
      any: 'Any object',
      options: options(objectTypes),
    },
    known
      ? {
          type: 'choice',
          name: 'objectId',
          label: 'One object',
          any: 'All of them',
          options: [{ value: objectId, label: object }],
        }
      : { type: 'search', name: 'objectId', label: 'Id of the object' },
    { type: 'moment', name: 'from', label: 'From' },
    { type: 'moment', name: 'to', label: 'Until' },
  ]
}

'use client'
import { useState } from 'react'
import { PersonPicker } from '@/components/people/person-picker'
import type { FindPeople } from '@/components/people/use-found-people'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { findPeople } from '../groups/actions'
import type { ScopeChoice } from './budget-words'

type Named = { id: string; name: string }
/** What a budget can be for, besides the site and people. */
export type ScopeNames = { groups: Named[]; configurations: Named[] }

type Props = {
  id: string
  scope: ScopeChoice
  scopeId: string | null
  names: ScopeNames
  error?: string
  onPick: (scopeId: string | null) => void
}

/** Which group, person or configuration; nothing for the whole site. */
export function ScopeField({ id, scope, scopeId, names, error, onPick }: Props) {
  const [people, setPeople] = useState<ReadonlyMap<string, string>>(new Map())
  if (scope === 'site') return null
  if (scope === 'user') {
    const find: FindPeople = async (input) => {
      const result = await findPeople(input)
      if (result.ok) setPeople(new Map(result.value.rows.map((row) => [row.id, row.email])))
      return result
    }
    return (
      <PickPerson
        id={id}
        find={find}
        chosen={scopeId === null ? null : (people.get(scopeId) ?? 'One person')}
        error={error}
        onPick={(userId) => onPick(userId ?? null)}
      />
    )
  }
  const found = scope === 'group' ? names.groups : names.configurations
  return (
    <Field id={id} label={scope === 'group' ? 'Group' : 'Configuration'} error={error}>
      {(control) => (
        <Select
          {...control}
          placeholder={found.length === 0 ? 'There is none yet' : 'Pick one'}
          options={found.map(({ id: value, name: label }) => ({ value, label }))}
          value={scopeId ?? ''}
          onValueChange={onPick}
        />
      )}
    </Field>
  )
}

function PickPerson({
  id,
  find,
  chosen,
  error,
  onPick,
}: {
  id: string
  find: FindPeople
  chosen: string | null
  error?: string
  onPick: (userId: string | undefined) => void
}) {
  return (
    <Field id={id} label="Person" error={error}>
      {() => (
        <PersonPicker
          label="Person"
          any="Pick a person"
          chosen={chosen}
          find={find}
          onPick={onPick}
        />
      )}
    </Field>
  )
}

'use client'
import { useState } from 'react'
import { Choice } from '@/components/forms/choice'
import { PersonPicker } from '@/components/people/person-picker'
import type { Person } from '@/components/people/use-found-people'
import { Field } from '@/components/ui/field'
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
  const [person, setPerson] = useState<Person | null>(null)
  if (scope === 'site') return null
  if (scope === 'user') {
    return (
      <Field id={id} label="Person" error={error}>
        {(control) => (
          <PersonPicker
            control={control}
            label="Person"
            any="Pick a person"
            chosen={person?.id === scopeId ? (person?.email ?? null) : null}
            onPick={(picked) => {
              setPerson(picked ?? null)
              onPick(picked?.id ?? null)
            }}
          />
        )}
      </Field>
    )
  }
  const found = scope === 'group' ? names.groups : names.configurations
  return (
    <Field id={id} label={scope === 'group' ? 'Group' : 'Configuration'} error={error}>
      {(control) => (
        <Choice
          key={scope}
          {...control}
          searchLabel={scope === 'group' ? 'Search groups' : 'Search configurations'}
          placeholder={found.length === 0 ? 'None yet' : 'Pick one'}
          options={found.map(({ id: value, name: label }) => ({ value, label }))}
          value={scopeId ?? ''}
          onValueChange={onPick}
        />
      )}
    </Field>
  )
}

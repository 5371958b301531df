'use client'
import { useState } from 'react'
import { CustomField, FormField } from '@/components/forms/form-field'
import type { Person } from '@/components/people/person-picker'
import { PersonPicker } from '@/components/people/person-picker'
import type { BudgetScope } from '@/lib/domains/budgets/schemas'

type Named = { id: string; name: string }
/** What a budget can be for, besides the site and people. */
export type ScopeNames = { groups: Named[]; configurations: Named[] }

type Props = { scope: Exclude<BudgetScope, 'site'>; names: ScopeNames }

const words = {
  group: { label: 'Group', search: 'Search groups' },
  configuration: { label: 'Configuration', search: 'Search configurations' },
}

/** Shows the field for the group, person or configuration of a budget. Give it a `key` of the scope. */
export function ScopeField({ scope, names }: Props) {
  if (scope === 'user') return <PersonField />
  const found = scope === 'group' ? names.groups : names.configurations
  return (
    <FormField
      name="scopeId"
      shape={{
        kind: 'select',
        ...words[scope],
        placeholder: found.length === 0 ? 'None yet' : 'Pick one',
        choices: found.map(({ id: value, name: label }) => ({ value, label })),
      }}
    />
  )
}

function PersonField() {
  const [person, setPerson] = useState<Person | null>(null)
  return (
    <CustomField<string | null> name="scopeId" label="Person">
      {(control, { value, onChange }) => (
        <PersonPicker
          control={control}
          label="Person"
          any="Pick a person"
          chosen={person?.id === value ? (person?.email ?? null) : null}
          onPick={(picked) => {
            setPerson(picked ?? null)
            onChange(picked?.id ?? null)
          }}
        />
      )}
    </CustomField>
  )
}

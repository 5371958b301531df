import Link from 'next/link'
import { CustomField, useFieldState } from '@/components/forms/form-field'
import { Select } from '@/components/ui/select'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { countOf } from '@/lib/words/format'
import { Choices } from '../choices'
import { toolGroupReaches } from '../configuration-words'
import { PickedTools, type ToolChoices } from '../picked-tools'
import type { FormChoices } from './read-form-choices'

const { allowedToolGroups } = configurationShape

/** Shows the fields for the tools that its runs may be offered. */
export function ToolFields({ choices: { toolGroups, tools } }: { choices: ToolChoices }) {
  const groupsField = useFieldState<string[] | null>('allowedToolGroups')
  const toolsField = useFieldState<string[]>('allowedTools')
  const allowed = groupsField.value
  return (
    <div className="flex flex-col gap-2">
      <CustomField<string[] | null> name="allowedToolGroups" label={allowedToolGroups.label}>
        {(control) => (
          <Select
            {...control}
            options={toolGroupReaches}
            value={allowed === null ? 'all' : 'some'}
            onValueChange={(value) =>
              groupsField.onChange(value === 'all' ? null : toolGroups.map(({ name }) => name))
            }
          />
        )}
      </CustomField>
      <PickedTools
        choices={{ toolGroups, tools }}
        names={{ allowedToolGroups: allowed, allowedTools: toolsField.value }}
        onChange={(names) => {
          if (names.allowedToolGroups !== allowed) groupsField.onChange(names.allowedToolGroups)
          if (names.allowedTools !== toolsField.value) toolsField.onChange(names.allowedTools)
        }}
        error={toolsField.error}
      />
    </div>
  )
}

/** Shows the field for who may start its runs. */
export function PeopleFields({ groups }: Pick<FormChoices, 'groups'>) {
  const members = useFieldState<string[]>('groupIds')
  return (
    <div className="flex flex-col gap-2">
      {groups.length === 0 ? (
        <p>
          No groups yet.{' '}
          <Link href="/groups" className="text-link underline underline-offset-2">
            Add group
          </Link>
        </p>
      ) : (
        <Choices
          label="Groups"
          options={groups.map(({ id, name, members: count }) => ({
            id,
            name,
            about: countOf(count, 'member'),
          }))}
          chosen={members.value}
          onChange={members.onChange}
        />
      )}
      {members.error && <p className="text-error text-sm">{members.error}</p>}
    </div>
  )
}

import Link from 'next/link'
import { useId } from 'react'
import { CustomField, useFieldState } from '@/components/forms/form-field'
import { Checkbox } from '@/components/ui/checkbox'
import { Select } from '@/components/ui/select'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { countOf } from '@/lib/protocol/format'
import { noToolGroup, toolGroupReaches, unknownToolGroup } from '../configuration-words'
import type { FormChoices } from './read-form-choices'

const { allowedToolGroups, groupIds } = configurationShape

/** Shows the fields for the tools that its runs may be offered, and for who may start one. */
export function AccessFields({ choices: { groups, toolGroups } }: { choices: FormChoices }) {
  const { value: allowed, onChange: allow } = useFieldState<string[] | null>('allowedToolGroups')
  const members = useFieldState<string[]>('groupIds')
  const known = toolGroups.map(({ name }) => name)
  // A group that has no tools any more stays visible, so that it can be removed.
  const listed = [
    ...toolGroups,
    ...(allowed ?? [])
      .filter((name) => !known.includes(name))
      .map((name) => ({ name, tools: null })),
  ]
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        <CustomField<string[] | null> name="allowedToolGroups" label={allowedToolGroups.label}>
          {(control) => (
            <Select
              {...control}
              options={toolGroupReaches}
              value={allowed === null ? 'all' : 'some'}
              onValueChange={(value) => allow(value === 'all' ? null : known)}
            />
          )}
        </CustomField>
        {allowed !== null && (
          <Choices
            label={allowedToolGroups.label}
            options={listed.map(({ name, tools }) => ({
              id: name,
              name,
              count: tools === null ? unknownToolGroup : countOf(tools, 'tool'),
            }))}
            chosen={allowed}
            onChange={allow}
          />
        )}
        {allowed?.length === 0 && <p className="text-sm text-warning">{noToolGroup}</p>}
      </div>
      <div className="flex flex-col gap-2">
        <p className="font-medium text-strong">{groupIds.label}</p>
        <p className="text-muted text-sm">
          Admins may use every configuration. Members may use it if one of their groups is ticked.
        </p>
        {groups.length === 0 ? (
          <p>
            No groups yet.{' '}
            <Link href="/groups" className="text-link underline underline-offset-2">
              Add one under Groups
            </Link>
          </p>
        ) : (
          <Choices
            label="Groups that may use it"
            options={groups.map(({ id, name, members: count }) => ({
              id,
              name,
              count: countOf(count, 'member'),
            }))}
            chosen={members.value}
            onChange={members.onChange}
          />
        )}
        {members.error && <p className="text-error text-sm">{members.error}</p>}
      </div>
    </div>
  )
}

function Choices({
  label,
  options,
  chosen,
  onChange,
}: {
  label: string
  options: { id: string; name: string; count: string }[]
  chosen: string[]
  onChange: (chosen: string[]) => void
}) {
  const id = useId()
  return (
    <fieldset aria-label={label} className="grid min-w-0 gap-x-6 sm:grid-cols-2">
      {options.map((option) => (
        <span
          key={option.id}
          className="flex min-h-8 min-w-0 items-center gap-2 pointer-coarse:min-h-11"
        >
          <Checkbox
            id={`${id}-${option.id}`}
            checked={chosen.includes(option.id)}
            onCheckedChange={(on) =>
              onChange([...chosen.filter((each) => each !== option.id), ...(on ? [option.id] : [])])
            }
          />
          <label htmlFor={`${id}-${option.id}`} className="min-w-0 [overflow-wrap:anywhere]">
            <span className="text-strong">{option.name}</span>{' '}
            <span className="text-muted text-sm">{option.count}</span>
          </label>
        </span>
      ))}
    </fieldset>
  )
}

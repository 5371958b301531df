import Link from 'next/link'
import { useId } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { countOf } from '@/lib/protocol/format'
import type { DraftProps } from './configuration-draft'
import type { FormChoices } from './read-form-choices'

const reaches = [
  { value: 'all', label: 'All tool groups, including new ones' },
  { value: 'some', label: 'Only the groups picked here' },
]

/** Which tools its runs may be offered, and who may start one. */
export function AccessFields({
  draft,
  errors,
  choices: { groups, toolGroups },
  onChange,
}: DraftProps & { choices: FormChoices }) {
  const { allowedToolGroups: allowed, groupIds } = draft
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
        <Field id="allowedToolGroups" label="Allowed tool groups" error={errors.allowedToolGroups}>
          {(control) => (
            <Select
              {...control}
              options={reaches}
              value={allowed === null ? 'all' : 'some'}
              onValueChange={(value) =>
                onChange({ allowedToolGroups: value === 'all' ? null : known })
              }
            />
          )}
        </Field>
        {allowed !== null && (
          <Choices
            label="Allowed tool groups"
            options={listed.map(({ name, tools }) => ({
              id: name,
              name,
              count: tools === null ? 'Tool group does not exist' : countOf(tools, 'tool'),
            }))}
            chosen={allowed}
            onChange={(allowedToolGroups) => onChange({ allowedToolGroups })}
          />
        )}
        {allowed?.length === 0 && (
          <p className="text-sm text-warning">If no group is picked, runs get no tools.</p>
        )}
      </div>
      <div className="flex flex-col gap-2">
        <p className="font-medium text-strong">Who may use it</p>
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
            options={groups.map(({ id, name, members }) => ({
              id,
              name,
              count: countOf(members, 'member'),
            }))}
            chosen={groupIds}
            onChange={(ids) => onChange({ groupIds: ids })}
          />
        )}
        {errors.groupIds && <p className="text-error text-sm">{errors.groupIds}</p>}
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

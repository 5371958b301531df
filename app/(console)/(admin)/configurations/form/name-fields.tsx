import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { identifierOf } from '@/lib/protocol/identifier'
import type { DraftProps } from './configuration-draft'
import { TextField } from './text-field'

type DraftChange = Parameters<DraftProps['onChange']>[0]

/** What people and programs call it. */
export function NameFields({ isNew, ...props }: DraftProps & { isNew: boolean }) {
  const { draft, errors, onChange } = props
  // Follows the name until somebody types an identifier.
  const follows = isNew && draft.identifier === identifierOf(draft.name)
  const changeName = (part: DraftChange) =>
    onChange({ ...part, ...(follows && { identifier: identifierOf(part.name ?? '') }) })
  return (
    <>
      <TextField
        {...props}
        field="name"
        label="Name"
        hint="Shown to people who pick a configuration."
        onChange={changeName}
      />
      <TextField
        {...props}
        field="identifier"
        label="Identifier"
        hint={
          isNew
            ? 'Used on the command line and in the API. Lower-case letters and digits, with single . _ - between them.'
            : 'Used on the command line and in the API. The old identifier stops working.'
        }
      />
      <Field id="description" label="Purpose" optional error={errors.description}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            value={draft.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

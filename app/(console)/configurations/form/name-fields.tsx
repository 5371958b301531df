import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { type DraftProps, identifierOf } from './configuration-draft'
import { TextField } from './text-field'

type DraftChange = Parameters<DraftProps['onChange']>[0]

/** What people and programs call it. */
export function NameFields({ isNew, ...props }: DraftProps & { isNew: boolean }) {
  const { draft, errors, onChange } = props
  // Follows the name until somebody writes one of their own.
  const follows = isNew && draft.identifier === identifierOf(draft.name)
  const changeName = (part: DraftChange) =>
    onChange({ ...part, ...(follows && { identifier: identifierOf(part.name ?? '') }) })
  return (
    <>
      <TextField
        {...props}
        field="name"
        label="Name"
        hint="People pick it by this."
        onChange={changeName}
      />
      <TextField
        {...props}
        field="identifier"
        label="Identifier"
        hint={
          isNew
            ? 'For commands and the API: small letters, digits and single . _ - between them.'
            : 'For commands and the API. Whoever uses the old one no longer finds it.'
        }
      />
      <Field id="description" label="What it is for" optional error={errors.description}>
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

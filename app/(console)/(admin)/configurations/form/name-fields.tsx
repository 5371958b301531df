import { FormFields } from '@/components/forms/form-field'
import type { FieldShape } from '@/lib/protocol/field-shape'

const shapes = (identifierHint: string): Record<string, FieldShape> => ({
  name: { kind: 'text', label: 'Name', hint: 'Shown to people who pick a configuration.' },
  identifier: { kind: 'text', label: 'Identifier', hint: identifierHint },
  description: { kind: 'textarea', label: 'Purpose', optional: true, rows: 2 },
})
const ofNew = shapes(
  'Used on the command line and in the API. Lower-case letters and digits, with single . _ - between them.',
)
const ofStored = shapes(
  'Used on the command line and in the API. The old identifier stops working.',
)

/** What people and programs call it. */
export function NameFields({ isNew }: { isNew: boolean }) {
  return <FormFields fields={isNew ? ofNew : ofStored} />
}

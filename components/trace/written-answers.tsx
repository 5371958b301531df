import { useId } from 'react'
import type { SchemaDraft } from '@/components/schema-form/schema-draft'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { lazyPart } from '@/components/ui/lazy-part'
import { Textarea } from '@/components/ui/textarea'
import type { ApprovalContext } from '@/lib/domains/approvals/shared/approval-context'
import { VisibleText } from './visible-text'

const SchemaForm = lazyPart(
  async () => (await import('@/components/schema-form/schema-form')).SchemaForm,
)

/** Loads the fields of a form before a button opens it, so that they can take the focus. */
export const fieldsSoon = SchemaForm.soon

/** The attribute of the part of the form that has the fields of an answer. */
export const answerPart = 'data-answer'

export type ApprovalParameters = ApprovalContext['parameters']

type Written = {
  toolName: string
  busy: boolean
  error: string | undefined
  onSend: () => void
  /** Goes back to the choice. What was typed stays. */
  onBack: () => void
}

/** Asks for other arguments of a call, in fields of the tool's schema or as JSON. */
export function EditedArguments({
  parameters,
  draft,
  onChange,
  onShown,
  error,
  busy,
  onSend,
  onBack,
}: Written & {
  parameters: ApprovalParameters
  draft: SchemaDraft
  onChange: (draft: SchemaDraft) => void
  onShown: () => void
}) {
  return (
    <div className="flex max-w-xl flex-col gap-3" {...{ [answerPart]: '' }}>
      <SchemaForm
        schema={parameters}
        draft={draft}
        onChange={onChange}
        onShown={onShown}
        error={error}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" loading={busy} onClick={onSend}>
          Approve with these arguments
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  )
}

/** Asks for the message to the model that goes with a denial. */
export function Refusal({
  toolName,
  value,
  onChange,
  error,
  busy,
  onSend,
  onBack,
}: Written & { value: string; onChange: (value: string) => void }) {
  return (
    <div className="flex flex-col gap-2" {...{ [answerPart]: '' }}>
      <Field
        id={useId()}
        label="Message to the model"
        hint="The model receives it instead of a result."
        optional
        {...(error && { error })}
      >
        {(control) => (
          <Textarea
            {...control}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className="max-h-96"
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button variant="danger" loading={busy} onClick={onSend}>
          <span>
            Deny <VisibleText text={toolName} />
          </span>
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  )
}

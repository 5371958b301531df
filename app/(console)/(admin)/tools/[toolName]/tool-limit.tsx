'use client'
import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { FieldShape } from '@/lib/shape/field-shape'
import { formatCount, parseCount, typedFigure } from '@/lib/words/format'
import { setLimit } from '../actions'

const hint = `1-${formatCount(1_000)}. Leave empty for none.`
const perMinute: FieldShape = { kind: 'text', label: 'Calls a minute, all runs', hint }
const perRun: FieldShape = { kind: 'text', label: 'Calls in one run', hint }

/** Shows how often calls of a tool may start, and changes it. */
export function ToolLimit({ tool: { name, limit } }: { tool: ToolListing }) {
  const form = useActionForm({
    values: {
      perMinute: String(limit?.perMinute ?? ''),
      perRun: String(limit?.perRun ?? ''),
    },
    send: (typed) =>
      setLimit({
        name,
        perMinute: typedFigure(typed.perMinute, parseCount),
        perRun: typedFigure(typed.perRun, parseCount),
      }),
    done: 'Saved the limits',
  })
  return (
    <Form form={form} className="max-w-160 gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField name="perMinute" shape={perMinute} />
        <FormField name="perRun" shape={perRun} />
      </div>
      <FormButtons button="Save" failed="The limits were not saved" variant="secondary" />
    </Form>
  )
}

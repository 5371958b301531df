import { TriangleAlert } from 'lucide-react'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import type { ActionError } from '@/lib/kernel/action'
import type { ToolListing } from '@/lib/toolset/tool-listing'

/** Asks why a tool is switched; required, with a warning, where that shows raw data. */
export function ToolReasonDialog({
  tool,
  onSubmit,
  onClose,
}: {
  tool: ToolListing
  onSubmit: (reason: string) => Promise<ActionError | null>
  onClose: () => void
}) {
  const enabling = !tool.enabled
  const warned = tool.raw && enabling
  return (
    <ReasonDialog
      title={`Switch ${enabling ? 'on' : 'off'} ${tool.name}`}
      description={enabling ? effectOfOn : effectOfOff}
      required={warned ? 'Say why it is needed.' : null}
      hint="Stored with the switch and in the audit."
      danger={warned}
      failed="The tool was not changed"
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {warned && <RawWarning tool={tool} />}
    </ReasonDialog>
  )
}

const effectOfOn = 'From its next request on, every run on this site may be offered this tool.'
const effectOfOff = 'No call of it can start after this, in any run. Calls in progress are stopped.'

function RawWarning({ tool }: { tool: ToolListing }) {
  return (
    <div className="flex gap-2 rounded-md border border-warning/40 bg-warning-soft p-3">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
      <div className="flex flex-col gap-1 text-sm">
        <p className="font-medium text-warning">
          It shows what <code className="font-mono">{tool.name.replace(/_raw$/, '')}</code> hides
        </p>
        <p>{tool.description}</p>
        <p>
          Its results are sent to the model’s provider unchanged and stay readable in the run’s
          journal. Switch it off again when you are done.
        </p>
      </div>
    </div>
  )
}

import Link from 'next/link'
import { VisibleText } from './visible-text'

/** Returns the id of the element that shows a call. The id of a call is chosen by a model. */
export function callAnchor(callId: string): string {
  return `call-${encodeURIComponent(callId.toWellFormed())}`
}

/** Shows the name of a tool, which leads to a call of it on the page of its run. */
export function CallLink({
  runId,
  call: { callId, toolName },
}: {
  runId: string
  call: { callId: string; toolName: string }
}) {
  return (
    <Link
      href={`/runs/${runId}#${callAnchor(callId)}`}
      className="font-mono text-link text-mono underline-offset-2 [overflow-wrap:anywhere] hover:underline"
    >
      <VisibleText text={toolName} />
    </Link>
  )
}

'use client'
import Link from 'next/link'
import { callAnchor, showCall } from './call-target'
import { VisibleText } from './visible-text'

/** Shows the name of a tool, which leads to a call of it on the page of its run, and opens it there. */
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
      onNavigate={() => showCall(callId)}
      className="font-mono text-link text-mono underline-offset-2 [overflow-wrap:anywhere] hover:underline"
    >
      <VisibleText text={toolName} />
    </Link>
  )
}

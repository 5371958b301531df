import { shortChecksum, ToolNames } from '@/components/nouns/skill-words'
import { Disclosure } from '@/components/trace/disclosure'
import { LongText } from '@/components/trace/long-text'
import { skillText } from '@/lib/protocol/model-text'
import type { RunEventOf } from '@/lib/protocol/run-event'

type Start = RunEventOf<'run-start'>['data']

/** The skills a run began with, as they were then, and the very text that stood in front of its prompt. */
export function SkillsUsed({ start }: { start: Start }) {
  const { skills } = start.snapshot
  if (skills.length === 0) return null
  return (
    <Disclosure summary={`Skills (${skills.length})`}>
      <div className="flex flex-col gap-2">
        <ul className="flex flex-col gap-1">
          {skills.map(({ skillId, name, version, checksum, allowedTools }) => (
            <li key={skillId} className="[overflow-wrap:anywhere]">
              <code className="font-mono text-mono text-strong">{name}</code> version {version},
              SHA-256 <code className="font-mono text-mono">{shortChecksum(checksum)}</code>,
              allowed tools: <ToolNames names={allowedTools} />
            </li>
          ))}
        </ul>
        <p className="text-muted">Sent to the model before the prompt:</p>
        <LongText text={skillText(skills, start)} label="Skills as the model saw them" />
      </div>
    </Disclosure>
  )
}

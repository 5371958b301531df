import { ErrorNotice } from '@/components/ui/error-notice'
import { diffLines } from '@/lib/skills/diff-lines'
import type { SkillDetail } from '@/lib/skills/read-skill'
import { DiffView } from '../diff-view'
import { GrantChange } from '../grant-change'
import { AcceptChange } from './accept-change'

/** Why a skill of the folder does not count at the moment, and what can be done about it. */
export function PendingChange({ skill }: { skill: SkillDetail }) {
  const pending = skill.history.find(({ version }) => version === skill.pendingVersion)
  const accepted = skill.history.find(({ version }) => version === skill.version)
  if (skill.state === 'missing') {
    return (
      <ErrorNotice title="Its file is missing, so it does not count">
        It is gone from the skills folder or cannot be used. What it listed last still limits tools
        where no other skill lists any. Put it back and read the folder again; or remove the skill
        from its configurations and delete it.
      </ErrorNotice>
    )
  }
  if (!pending || !accepted) return null
  return (
    <section
      aria-labelledby="pending-change"
      className="flex flex-col gap-3 rounded-md border border-waiting/40 bg-waiting-soft p-4"
    >
      <h2 id="pending-change" className="text-lg">
        Its file changed, so it does not count until you accept that
      </h2>
      <p className="max-w-[72ch]">
        Its text is not sent. What it listed last still limits tools where no other skill lists any;
        switch it off to end that.
      </p>
      <GrantChange before={accepted.allowedTools} after={pending.allowedTools} />
      <DiffView parts={diffLines(accepted.file, pending.file)} label="What changed on disk" />
      <AcceptChange skillId={skill.id} name={skill.name} checksum={pending.checksum} />
    </section>
  )
}

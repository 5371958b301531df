import { listSoleLimits } from '@toolgate/server/domains/skills/limits'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { skillGrant } from '@toolgate/server/toolset/policy/configuration-skills'
import type { Metadata } from 'next'
import { deletionWords, GrantWords, LimitGone } from '@/components/nouns/skill-words'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { requireAdmin } from '@/lib/next/require-user'
import { pageTitle } from '@/lib/words/page-title'
import { SkillSwitch } from '../skill-switch'
import { BodyView } from './body-view'
import { findSkill } from './find-skill'
import { FrontMatterView } from './front-matter-view'
import { History } from './history'
import { PendingChange } from './pending-change'
import { SkillActions } from './skill-actions'
import { SkillFacts } from './skill-facts'

const offWords = 'Off. When on, it allows'

type Props = {
  params: Promise<{ skillId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = await findSkill((await params).skillId)
  return pageTitle(name, 'Skills')
}

export default async function SkillPage({ params, searchParams }: Props) {
  const ctx = await requireAdmin()
  const skill = await findSkill((await params).skillId)
  const accepted = skill.history.find(({ version }) => version === skill.version)
  const [grant, soleLimits] = await Promise.all([
    skillGrant([skill]),
    listSoleLimits(ctx, skill.id),
  ])
  const limits = soleLimits.map(({ type, name }) => (type === 'task' ? `the task ${name}` : name))
  // The long history is left out of what is sent to the browser.
  const { id, name, enabled } = skill
  return (
    <PageFrame kind="detail">
      <PageHead
        title={name}
        state={
          <SkillSwitch
            skill={{ id, name, enabled }}
            limit={limits.length > 0 ? <LimitGone configurations={limits} /> : null}
          />
        }
        action={<SkillActions skill={{ id, name }} deletion={deletionWords(skill)} />}
      >
        <VisibleText text={skill.description || 'No description'} />
      </PageHead>
      <PendingChange skill={skill} />
      <SkillFacts skill={skill} />
      <Section title="Tools">
        <div className="max-w-[72ch]">
          <GrantWords whose={skill.state === 'on' ? 'This skill allows' : offWords} grant={grant} />
        </div>
      </Section>
      {accepted && (
        <>
          <Section title="Text">
            <BodyView body={accepted.body} />
          </Section>
          <Section title="Front matter">
            <FrontMatterView {...accepted} />
          </Section>
        </>
      )}
      <History
        skill={{ ...skill, history: await withPersonNames(skill.history, ['createdByLabel']) }}
        compared={Number((await searchParams).changes)}
        limits={limits}
      />
    </PageFrame>
  )
}

import { everyNoun, type NounNames, wordsOf } from '@/lib/protocol/nouns'
import { countOf } from '@/lib/words/format'

/** Words for objects in sentences, by their type. */
const nouns: Readonly<Record<string, string>> = {
  ...Object.fromEntries(everyNoun.map((each) => [each.noun, introduced(each)])),
  'api-key': 'the API key',
  approval: 'a call of',
  asset: 'the asset',
  backup: 'the backup',
  check: 'the check',
  'check-run': 'a run of checks',
  configuration: 'the configuration',
  connection: 'the connection',
  'connected-account': 'an account at',
  conversation: 'the conversation',
  panel: 'the panel',
  model: 'the model',
  run: 'a run',
  'run-view': 'the view',
  skill: 'the skill',
  tool: 'the tool',
  'tool-group': 'the tool group',
  user: 'the account of',
}

/** Returns what introduces the name of an object: "the host"; "a budget" where it has no name. */
function introduced(noun: NounNames): string {
  return `${noun.key === null ? 'a' : 'the'} ${wordsOf(noun).one}`
}

/** Sentences for actions that most kinds of objects have. `{}` stands for the object. */
const verbs: Readonly<Record<string, string>> = {
  create: 'added {}',
  update: 'changed {}',
  delete: 'deleted {}',
  clone: 'cloned {}',
  restore: 'restored an earlier version of {}',
  'switch-on': 'switched on {}',
  'switch-off': 'switched off {}',
  enable: 'switched on {}',
  disable: 'switched off {}',
  limit: 'limited {}',
}

/** Sentences for actions with words of their own. */
const actions: Readonly<Record<string, string>> = {
  'access.refuse': 'was refused {}',
  'api-key.refuse': 'was refused with {}',
  'api-key.remove-scopes': 'lost scopes of {}',
  'api-key.revoke': 'revoked {}',
  'approval.approve': 'approved {}',
  'approval.deny': 'denied {}',
  'approval.edit': 'edited and approved {}',
  'approval.expire': 'let {} expire',
  'asset.describe': 'let a run set the alternative text of {}',
  'asset.replace': 'replaced the file of {}',
  'asset.restore': 'restored {}',
  'asset.upload': 'uploaded {}',
  'audit.export': 'exported the audit',
  'backup.fail-delete': 'could not delete {}',
  'budget-alert.see': 'marked alerts of budgets as seen',
  'budget.repair': 'set the counters of {} to the sums of its ledger',
  'channel.seal-address': 'moved the address of {} to the vault',
  'channel.test': 'sent a test message through {}',
  'check-run.stop': 'stopped {}',
  'check.run': 'ran {}',
  'check.run-suite': 'started {} of a suite',
  'connected-account.connect': 'connected {}',
  'connected-account.deposit': 'stored a token of {}',
  'connected-account.disconnect': 'disconnected {}',
  'check.save': 'saved a run as {}',
  'check.import': 'imported {} from a file',
  'configuration.add-skill': 'added a skill to {}',
  'configuration.allow-group': 'let a group use {}',
  'configuration.disallow-group': 'no longer lets a group use {}',
  'configuration.order-skills': 'changed the order of the skills of {}',
  'configuration.remove-skill': 'removed a skill from {}',
  'configuration.set-skills': 'set the skills of {}',
  'configuration.switch-off-skill': 'switched off a skill of {}',
  'configuration.switch-on-skill': 'switched on a skill of {}',
  'configuration.update-policy': 'changed what runs may use of {}',
  'connection.add-key': 'added a key to {}',
  'connection.change-key': 'changed a key of {}',
  'connection.remove-key': 'removed a key of {}',
  'connection.replace-key': 'replaced a key of {}',
  'connection.set-headers': 'changed the headers of {}',
  'connection.set-key': 'stored a key of {}',
  'conversation.archive': 'put away {}',
  'conversation.rename': 'renamed {}',
  'conversation.restore': 'restored {}',
  'conversation.take-back': 'took back {}',
  'data-source.allow-queries': 'allowed queries on {}',
  'data-source.close-table': 'closed a table of {}',
  'data-source.open-table': 'opened a table of {}',
  'data-source.refuse-queries': 'took queries back on {}',
  'file.upload': 'uploaded a file',
  'group.add-member': 'added a person to {}',
  'group.remove-member': 'removed a person from {}',
  'host.ask': 'asked for {}',
  'host.decline': 'declined {}',
  'memory.clear': 'deleted notes of {}',
  'memory.delete': 'deleted a note of {}',
  'memory.edit': 'changed a note of {}',
  'model.add-price': 'added a price of {}',
  'model.change-price': 'changed a price of {}',
  'model.remove-price': 'removed a price of {}',
  'model.reprice-runs': 'recomputed the cost of runs of {}',
  'model.test-tools': 'tested whether tools are called by {}',
  'panel.choose': 'chose an answer of {}',
  'panel.coordinate': 'started {}',
  'panel.cost-cap': 'changed the cost cap of {}',
  'panel.start': 'started {}',
  'panel.stop': 'stopped {}',
  'password.fail': 'gave a wrong password, code or passkey',
  'run.cancel': 'cancelled {}',
  'run.cost-cap': 'changed the cost cap of {}',
  'run.export': 'exported runs',
  'run.mark': 'changed tags or note of {}',
  'run.start': 'started {}',
  'run-view.restore': 'restored {}',
  'run-view.share': 'shared {} with everybody',
  'run-view.stop-sharing': 'stopped sharing {}',
  'schedule.approve': 'agreed that {} runs as them',
  'schedule.deny': 'denied that {} runs as them',
  'schedule.run': 'started the run of {}',
  'schedule.withdraw-consent': 'withdrew the consent to {}',
  'search-endpoint.test': 'sent a test query to {}',
  'second-factor.add': 'added a second factor',
  'second-factor.begin': 'began to add an authenticator app',
  'second-factor.remove': 'removed a second factor',
  'second-factor.rename': 'renamed a second factor',
  'second-factor.renew-recovery-codes': 'replaced the recovery codes',
  'second-factor.use-recovery-code': 'signed in with a recovery code',
  'server.check': 'connected anew to {}',
  'session.close': 'signed out',
  'session.confirm': 'confirmed who they are',
  'session.end': 'ended a session of {}',
  'session.open': 'signed in',
  'setting.update': 'changed the setting {}',
  'sign-in.alert': 'told the channels for alerts that sign-ins were refused',
  'sign-in.fail': 'failed to sign in',
  'sign-in.slow-down': 'has to wait after too many failed tries',
  'site.back-up': 'wrote a backup',
  'site.check': 'checked which pages there are of {}',
  'site.apply': 'began to apply a site file',
  'site.export': 'exported the site as a file',
  'site.fail-back-up': 'could not write a backup',
  'site.freeze': 'froze the site',
  'site.miss-back-up': 'told the channels for alerts that the last backup is too old',
  'site.restore': 'restored the installation from a backup',
  'site.unfreeze': 'unfroze the site',
  'skill.accept-change': 'accepted the changed file of {}',
  'skill.change-on-disk': 'found a changed file of {}',
  'skill.go-missing': 'found no file any more of {}',
  'skill.move': 'found the file at another place of {}',
  'skill.return': 'found the file again of {}',
  'tool.accept': 'accepted {}',
  'tool.reset': 'reset {} to its default',
  'tool.set-approval': 'changed whether approval is needed for {}',
  'usage.export': 'exported the usage',
  'user.accept-invitation': 'set a first password',
  'user.accept-reset': 'set a new password with a one-time link',
  'user.change-own-sign-in': 'changed their own password',
  'user.create-first-admin': 'created the first admin',
  'user.create-from-provider': 'signed in through the identity provider for the first time',
  'user.end-sessions': 'ended all sessions of {}',
  'user.follow-provider-email': 'got another e-mail address, as the identity provider says',
  'user.follow-provider-groups': 'joined or left groups, as the identity provider says',
  'user.follow-provider-role': 'changed role, as the identity provider says',
  'user.invite': 'invited {}',
  'user.invite-again': 'invited {} again',
  'user.lift-suspension': 'enabled {}, whose groups came again',
  'user.link-to-provider': 'linked {} to the identity provider',
  'user.refuse-without-group': 'disabled {}, which has no group with a role',
  'user.rename-oneself': 'changed their own name',
  'user.reset-second-factor': 'removed the second factors of {}',
  'user.reset-sign-in': 'reset the sign-in of {}',
  'user.revoke-link': 'revoked the one-time link of {}',
  'user.set-sign-in': 'set a password for {}',
  'user.suspend': 'suspended {}, whose groups the identity provider did not send',
  'vault.begin-rotation': 'began to rotate the vault key',
  'vault.finish-rotation': 'finished the rotation of the vault key',
  'workspace.undo-write': 'undid a write in {}',
}

/** These have a name that says by itself what they are, or none. */
const bare: ReadonlySet<string> = new Set(['access', 'memory', 'setting', 'session'])

/**
 * Returns what an action of the audit is in a sentence that begins with who did it, as the text before the object, the noun that
 * introduces its name (empty = none), and the text after it; `after` null = the sentence names no object. Null = an action that
 * has no words.
 */
export function auditWords(
  action: string,
): { before: string; noun: string; after: string | null } | null {
  const [type = '', verb = ''] = action.split('.')
  const template = actions[action] ?? verbs[verb]
  if (template === undefined) return null
  const [before = '', after] = template.split('{}')
  if (after === undefined) return { before, noun: '', after: null }
  const noun = bare.has(type) ? undefined : nouns[type]
  return { before, noun: noun === undefined ? '' : `${noun} `, after }
}

/** Returns how many objects an act was about: "14 tools" for `noun` "the tool". */
export function countedNoun(count: number, noun: string): string {
  return countOf(
    count,
    noun
      .trim()
      .replace(/^(the|an?) /, '')
      .replace(/ of$/, ''),
  )
}

/** Names of fields whose path says nothing to a reader. */
const fieldNames: Readonly<Record<string, string>> = {
  wire: 'API type',
  'look.tool': 'tool that looks before and after',
  'look.becomes': 'argument with what is written',
}

/** Returns what a field of an entry is called in a sentence: "limits rounds" for "limits.rounds". */
export function fieldWords(path: string): string {
  const inWords = (text: string) =>
    /^[a-z]+([A-Z][a-z]+)+$/.test(text)
      ? text.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      : text
  return fieldNames[path] ?? path.split('.').map(inWords).join(' ')
}

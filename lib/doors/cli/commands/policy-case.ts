import { policyCases, verdictWords } from '@/lib/domains/policy-cases/shape'
import { visibleText } from '@/lib/words/clean-text'
import { printLine } from '../print'
import { commandSpec } from '../resource-commands'

const example = `
  toolgate policy-case add 'Support sends no mail' --tool send_message --configuration support --person-group Support --expects refused
  toolgate policy check`

export const policyCaseCommands = commandSpec(policyCases, {
  example,
  words: {
    list: 'list the policy cases, each with whether it passes now',
    show: 'show a policy case with what the policy decides now',
    add: 'add a policy case: what has to be decided about one call, whatever is changed',
    delete: 'delete a policy case; changes that would break it are no longer refused',
  },
  columns: {
    NOW: ({ verdict }) => verdictWords[verdict].toLowerCase(),
    TOOL: ({ toolName }) => toolName,
    EXPECTED: ({ expects }) => expects,
    WHO: ({ person, personGroup, apiKey }) =>
      person?.email ?? personGroup?.name ?? apiKey?.prefix ?? 'gone',
  },
  print: ({ verdict, says }) => printLine(visibleText(`${verdictWords[verdict]}. ${says}`)),
})

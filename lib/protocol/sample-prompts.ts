type SampleCall = { name: string; args: Record<string, unknown> }

/** A prompt to begin with, and the calls that answer it, round by round. The demo follows them, models choose their own. */
export type SamplePrompt = { prompt: string; rounds: readonly (readonly SampleCall[])[] }

/** The first three, which the Playground shows, find something on a new site, too. */
export const samplePrompts: readonly SamplePrompt[] = [
  {
    prompt: 'What can you find out about this installation?',
    rounds: [
      [
        { name: 'get_runtime_info', args: {} },
        { name: 'list_users', args: {} },
      ],
      [{ name: 'fetch_logs', args: { limit: 10 } }],
    ],
  },
  {
    prompt: 'Which Node version does this server run on, and what is its uptime?',
    rounds: [[{ name: 'get_runtime_info', args: {} }]],
  },
  {
    prompt: 'Who may sign in here?',
    rounds: [[{ name: 'list_users', args: {} }]],
  },
  {
    prompt: 'List the environment variables that are set. Does anything look unusual?',
    rounds: [[{ name: 'get_env', args: {} }]],
  },
  {
    prompt: 'Look at the latest errors in the application log. What should I check first?',
    rounds: [[{ name: 'fetch_logs', args: { level: 'error', limit: 10 } }]],
  },
  {
    prompt: 'Which accounts exist here, and which of them are admins?',
    rounds: [[{ name: 'list_users', args: {} }], [{ name: 'list_groups', args: {} }]],
  },
  {
    prompt: 'Which groups are there, and who belongs to them?',
    rounds: [[{ name: 'list_groups', args: {} }], [{ name: 'list_users', args: {} }]],
  },
  {
    prompt: 'What time is it in Tokyo? Use the tool for the time.',
    rounds: [[{ name: 'current_time', args: { zone: 'Asia/Tokyo' } }]],
  },
  {
    prompt: 'What is 17.5 % of 1,289.40? Use the tool for calculations.',
    rounds: [[{ name: 'calculate', args: { expression: '1289.40 * 0.175' } }]],
  },
]

/** Asks for one call of the tool of the tool-calling test. Any model that calls tools answers with that call. */
export const toolTestPrompt =
  'Call the tool report_number with the number 7. Answer with the call alone.'

/** Returns the sample prompts that call one of these tools first, in their order. */
export function samplePromptsFor(toolNames: readonly string[]): string[] {
  return samplePrompts
    .filter(({ rounds }) => rounds[0]?.some(({ name }) => toolNames.includes(name)))
    .map(({ prompt }) => prompt)
}

/*
 * Tao as a library:
 *
 *   const outcome = await run('Is it warm in Oslo?', { model: 'deepseek/deepseek-chat', tools: [weather] })
 */

export type { CriterionChoice } from './app/criteria.ts'
export {
  type DeliveredChanges,
  type RunResult,
  type RunTaskOptions,
  run,
  type WorkspaceOptions,
} from './app/run-task.ts'
export type { ToolChoice } from './app/run-tools.ts'
export type { SandboxChoice } from './app/sandbox-choice.ts'
export type { TypedLimits } from './app/task-limits.ts'
export type { Effect, ToolCall, ToolResult } from './core/call.ts'
export { TaoError } from './core/error.ts'
export { type Event, eventLine, type Fact, type FactOf, FORMAT_VERSION } from './core/event.ts'
export type { Json, JsonObject } from './core/json.ts'
export { DEFAULT_LIMITS, type FiredLimit, type LimitName, type Limits } from './core/limits.ts'
export type { Message } from './core/message.ts'
export { type Evidence, EXIT_CODES, type Outcome, type Status } from './core/outcome.ts'
export type { Delta, Reply, Request, RequestHead, ToolDefinition, WireMessage } from './core/request.ts'
export type { Usage } from './core/usage.ts'
export { fileStore } from './journal/file-store.ts'
export { type ContentStore, FenceError, type Journal, type RunListing } from './journal/journal.ts'
export { memoryJournal } from './journal/memory.ts'
export { memoryStore } from './journal/memory-store.ts'
export { openSqliteJournal, type SqliteJournalOptions } from './journal/sqlite.ts'
export type { Criterion, Delivery, Finding } from './judge/criterion.ts'
export { type AskOptions, type Model, ModelError, type Price, type RequestBody, type Retry } from './model/model.ts'
export { type RetryOptions, retrying } from './model/retry.ts'
export type { Script, ScriptCall, ScriptReply } from './model/script.ts'
export { loadScript } from './model/script-file.ts'
export { type ScriptedModel, type ScriptedOptions, scripted } from './model/scripted.ts'
export type { Change, Workspace } from './sandbox/workspace.ts'
export { tool } from './tools/define.ts'
export { fromJsonSchema } from './tools/json-schema.ts'
export type { Tool, ToolContext, ToolOptions } from './tools/tool.ts'

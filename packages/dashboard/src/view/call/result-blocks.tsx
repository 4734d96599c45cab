// The result of a tool or a prompt: text, JSON, images and links to resources.
import { isObject } from '@tidings/live/portable';
import type { JSX } from 'preact';
import { type ResultBlock, type ToolCallResult, blockText } from '../../hub/call-tool.ts';
import { JsonTree, displayableJson } from '../element/json-tree.tsx';
import { href } from '../route.ts';

export function ToolResultView({ serverId, result }: { serverId: string; result: ToolCallResult }): JSX.Element {
  const { content, structuredContent, isError } = result;
  const hasText = content.some(({ type }) => type === 'text');
  return (
    <>
      {isError === true && <p class="reason bad">The tool failed.</p>}
      {content.map((block, index) => (
        <Block key={index} serverId={serverId} block={block} />
      ))}
      {/* Most servers repeat it as text. */}
      {structuredContent !== undefined && !hasText && <JsonTree value={structuredContent} />}
      {content.length === 0 && structuredContent === undefined && <p class="faint">Done, without a result.</p>}
    </>
  );
}

export function Block({ serverId, block }: { serverId: string; block: ResultBlock }): JSX.Element {
  const { type, uri, data, mimeType, resource } = block;
  if (type === 'text') return <Text text={blockText(block)} />;
  if (
    type === 'image' &&
    typeof data === 'string' &&
    typeof mimeType === 'string' &&
    /^image\/[\w.+-]+$/.test(mimeType)
  ) {
    return <img class="picture" src={`data:${mimeType};base64,${data}`} alt="Result of the tool" />;
  }
  if (type === 'resource_link' && typeof uri === 'string') return <Link serverId={serverId} uri={uri} />;
  if (type === 'resource' && isObject(resource) && 'uri' in resource) {
    const { uri: inner, text } = resource;
    return (
      <>
        <Link serverId={serverId} uri={String(inner)} />
        {typeof text === 'string' && <Text text={text} />}
      </>
    );
  }
  return <p class="faint">{type}, which this page cannot show.</p>;
}

function Text({ text }: { text: string }): JSX.Element {
  const json = /^\s*[[{]/.test(text) ? displayableJson(text) : undefined;
  return json === undefined ? <pre class="text">{text}</pre> : <JsonTree value={json.value} />;
}

function Link({ serverId, uri }: { serverId: string; uri: string }): JSX.Element {
  return (
    <p>
      <a href={href('resources', { server: serverId, uri })}>{uri}</a>
    </p>
  );
}

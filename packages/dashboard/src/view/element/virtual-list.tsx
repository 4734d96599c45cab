// A long list of which only the visible rows are in the page.
import type { ComponentChildren, HTMLAttributes, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps extends Omit<HTMLAttributes<HTMLDivElement>, 'onScroll'> {
  count: number;
  rowHeight: number;
  row(this: void, index: number): ComponentChildren;
  /** Scrolled into view when it changes. */
  active?: number | undefined;
  onScrolled?: (top: number) => void;
}

const spareRows = 6;

export function VirtualList({ count, rowHeight, row, active, onScrolled, ...rest }: VirtualListProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [{ top, height }, setWindow] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWindow({ top: element.scrollTop, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || active === undefined || active < 0) return;
    const start = active * rowHeight;
    if (start < element.scrollTop) element.scrollTop = start;
    else if (start + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = start + rowHeight - element.clientHeight;
  }, [active, rowHeight]);
  const first = Math.max(0, Math.floor(Math.min(top, count * rowHeight) / rowHeight) - spareRows);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + spareRows);
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  return (
    <div
      {...rest}
      ref={box}
      onScroll={({ currentTarget }) => {
        setWindow({ top: currentTarget.scrollTop, height: currentTarget.clientHeight });
        onScrolled?.(currentTarget.scrollTop);
      }}
    >
      <div role="presentation" style={{ height: `${count * rowHeight}px`, position: 'relative' }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {indexes.map((index) => row(index))}
        </div>
      </div>
    </div>
  );
}

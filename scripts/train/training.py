"""The loop that the fully convolutional networks are trained in: batches are made by
processes of their own, the rate falls along a cosine, and a running average of the
weights is what is exported. A GPU is used where there is one; none is needed."""

import multiprocessing
import time

import numpy as np
import torch


def train(out, network, average, steps, seed, peak_rate, batches, loss_of, agreement, words,
          makers=1, memory=0.995):
    """Goes on from out/state.pt, or begins, and keeps it up to date.

    `batches`: a generator of (input, truth), by seed; so many `makers` run it. `memory`: how much
    of the average is kept at each step. `loss_of` and `agreement` take what
    the network says and the truth; `words` name what `agreement` gives.
    """
    out.mkdir(parents=True, exist_ok=True)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network.to(device)
    average.to(device)
    average.load_state_dict(network.state_dict())
    optimiser = torch.optim.AdamW(network.parameters(), lr=peak_rate, weight_decay=0.02)
    step = 0
    state = out / "state.pt"
    if state.exists():
        saved = torch.load(state, map_location=device)
        network.load_state_dict(saved["network"])
        average.load_state_dict(saved["average"])
        optimiser.load_state_dict(saved["optimiser"])
        step = saved["step"]
    queue = multiprocessing.Queue(8 * makers)
    # A resumed run draws other pictures than an undisturbed one.
    processes = [multiprocessing.Process(target=_make, daemon=True,
                                         args=(batches, seed + step + 1_000_003 * i, queue))
                 for i in range(makers)]
    for process in processes:
        process.start()
    started, shown = time.time(), []
    network.train()
    while step < steps:
        warm = min(1.0, (step + 1) / 150)
        fall = 0.5 * (1 + np.cos(np.pi * step / steps))
        for group in optimiser.param_groups:
            group["lr"] = peak_rate * warm * (0.01 + 0.99 * fall)
        x, truth = (torch.from_numpy(b).to(device) for b in queue.get())
        outputs = network(x)
        loss = loss_of(outputs, truth)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        step += 1
        follow = 1 - min(memory, (1 + step) / (10 + step))
        with torch.no_grad():
            for a, b in zip(average.state_dict().values(), network.state_dict().values()):
                if a.dtype.is_floating_point:
                    a.lerp_(b, follow)
                else:
                    a.copy_(b)
        shown.append((loss.item(), *agreement(outputs.detach(), truth)))
        if step % 50 == 0:
            mean = np.mean(shown[-50:], axis=0)
            told = " ".join(f"{word} {value:.3f}" for word, value in zip(words, mean[1:]))
            print(f"step {step} loss {mean[0]:.4f} {told} {time.time() - started:.0f} s", flush=True)
        if step % 100 == 0 or step == steps:
            torch.save({"network": network.state_dict(), "average": average.state_dict(),
                        "optimiser": optimiser.state_dict(), "step": step}, out / "state.new")
            (out / "state.new").replace(state)
    for process in processes:
        process.terminate()


def _make(batches, seed, queue):
    for batch in batches(seed):
        queue.put(batch)
